// expect: ok
Error.prepareStackTrace = (_, frames) => frames;
Error.stackTraceLimit = Infinity;
const { stack } = new Error('where');
return String(stack).includes('/') ? 'a path leaked' : 'clean';
