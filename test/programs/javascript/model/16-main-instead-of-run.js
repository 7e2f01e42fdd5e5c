// expect-error: entry_not_found: the script defines main
async function main() {
  return tools.add({ a: 1, b: 2 });
}
