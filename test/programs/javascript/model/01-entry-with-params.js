// expect-value: {"text": "alpha", "length": 5}
// params: {"path": "/a.txt"}
function Run(params) {
  const text = os.read_file({ path: params.path });
  return { text, length: text.length };
}
