// expect-error: function_not_found: tools.ad
function Run() {
  return tools.ad({ a: 1, b: 2 });
}
