// expect-error: runtime: 5 |   return found.name;
function Run() {
  // Line five is where it breaks.
  const found = null;
  return found.name;
}
