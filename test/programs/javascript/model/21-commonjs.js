// expect-error: runtime: the sandbox has no modules
async function Run() {
  return 1;
}
module.exports = { Run };
