// expect-value: "alpha"
const text = await os.read_file({ path: '/a.txt' });
console.log('read', text.length, 'characters');
text;
