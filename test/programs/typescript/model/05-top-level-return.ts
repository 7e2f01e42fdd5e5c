// expect-value: {"size": 3}
type Data = { size: number; items: number[] };
const data = JSON.parse(os.read_file({ path: '/data.json' })) as Data;
return { size: data.size };
