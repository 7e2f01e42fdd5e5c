// expect-value: {"size": 3}
const data = JSON.parse(os.read_file({ path: '/data.json' }));
if (data.size > 2) {
  return { size: data.size };
}
return null;
