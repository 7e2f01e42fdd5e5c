/** Namespaces our own names need in a script (CONTRACT, "Scripts"). */
const OURS = ['console', 'code', 'results', 'codemode', 'parallel', 'params', 'Run', 'main'];

/** ECMAScript reserved words, strict mode and modules included (ECMA-262, 12.7.2). */
const JAVASCRIPT_KEYWORDS =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield';

/** Lua 5.4 keywords (reference manual, 3.1). */
const LUA_KEYWORDS =
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while';

/** Go keywords (specification, "Keywords"). */
const GO_KEYWORDS =
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var';

/** Globals a JavaScript script may count on (ECMA-262, 19), and host names models reach for. */
const JAVASCRIPT_GLOBALS =
  'AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape global globalThis isFinite isNaN parseFloat parseInt undefined unescape';

/** Go's predeclared names, and the names a program cannot do without (specification, "Predeclared identifiers"). */
const GO_PREDECLARED =
  'any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr';

/** Lua's base functions (reference manual, 6.1): a namespace of that name takes them away. */
const LUA_BASE =
  'assert collectgarbage error getmetatable ipairs next pairs pcall print rawequal rawget rawlen rawset select setmetatable tonumber tostring type xpcall _G _ENV _VERSION';

const LUA_LIBRARIES = 'coroutine debug io json math os package string table utf8';
const GO_LIBRARIES =
  'bufio bytes cmp context embed errors expvar flag fmt hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings sync syscall testing time unicode unique unsafe';

const words = (list: string) => list.split(' ');

const RESERVED = new Map<string, string>([
  ...words(GO_PREDECLARED).map((word) => [word, 'a predeclared name of Go'] as const),
  ...words(JAVASCRIPT_GLOBALS).map((word) => [word, 'a global of JavaScript'] as const),
  ...words(GO_KEYWORDS).map((word) => [word, 'a keyword of Go'] as const),
  ...words(LUA_KEYWORDS).map((word) => [word, 'a keyword of Lua'] as const),
  ...words(JAVASCRIPT_KEYWORDS).map((word) => [word, 'a keyword of JavaScript'] as const),
  ...OURS.map((word) => [word, 'a name of the sandbox itself'] as const),
]);
// Go's predeclared `string` is allowed with a warning, as the name of Lua's library.
RESERVED.delete('string');

/** Why a namespace may not have this name; undefined where it may. */
export function reservedBecause(namespace: string): string | undefined {
  return RESERVED.get(namespace);
}

/** What a namespace of this name hides or mixes with in scripts; undefined where nothing. */
export function libraryWarning(namespace: string): string | undefined {
  const go = words(GO_LIBRARIES).includes(namespace);
  const lua = words(LUA_LIBRARIES).includes(namespace);
  const base = words(LUA_BASE).includes(namespace);
  if (!go && !lua && !base) return undefined;
  const effects = [
    ...(go ? [`in Go, import "${namespace}" gives the tools instead of the standard package`] : []),
    ...(lua
      ? [`in Lua, the tools are merged into the ${namespace} table and win over functions of the same name`]
      : []),
    ...(base ? [`in Lua, the base function ${namespace} is not there`] : []),
  ];
  return `"${namespace}" is also a library's name: ${effects.join('; ')}`;
}
