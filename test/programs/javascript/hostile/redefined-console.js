// expect-value: 1
console.log = () => { throw new Error('mine'); };
console = null;
function Run() {
  return 1;
}
