// expect-value: {"text": "alpha", "length": 5}
// params: {"path": "/a.txt"}
interface Params {
  path: string;
}
function Run(params: Params): { text: string; length: number } {
  const text: string = os.read_file({ path: params.path });
  return { text, length: text.length };
}
