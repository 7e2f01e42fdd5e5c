// expect-error: runtime: recurses too deeply
// Its second frame ends below address 0, which the engine's own look at its stack takes for far above.
const names = Array.from({ length: 60000 }, (_, at) => `a${at}`);
return eval(`(function wide(${names}) { return wide(); })`)();
