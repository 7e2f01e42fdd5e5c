// expect-error: runtime: recurses too deeply
const Run = (): unknown => [Run()];
