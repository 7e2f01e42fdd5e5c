// expect-value: "alpha"
const text: string = await os.read_file({ path: '/a.txt' });
return text as unknown;
