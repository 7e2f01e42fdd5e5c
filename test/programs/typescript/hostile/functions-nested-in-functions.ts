// expect-error: runtime: recurses too deeply
const text: string = '(() => {'.repeat(1500) + '})'.repeat(1500);
return eval(text) as unknown;
