// expect-error: runtime: recurses too deeply
function Run() {
  return [Run()];
}
