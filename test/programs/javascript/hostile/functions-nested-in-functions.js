// expect-error: runtime: recurses too deeply
// The parser bears this depth; what makes code of what it read looks at no limit of its own.
const text = '(function () {'.repeat(1500) + '})'.repeat(1500);
return eval(text);
