// expect-value: ["ALPHA", "BETA"]
const files = ['/a.txt', '/b.txt'];
const texts = files.map((path) => os.read_file({ path }).split('\n')[0]);
texts.map((text) => text.toUpperCase());
