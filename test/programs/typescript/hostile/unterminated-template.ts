// expect: syntax
const x: string = `${`${`
