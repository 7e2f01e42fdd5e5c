// biome-ignore-all lint/suspicious/noShadowRestrictedNames: own references to the built-ins, on purpose.
// Runs inside QuickJS once, before the snapshot: everything a script finds beside the language itself, and what the
// worker calls to run it. It keeps its own references to the built-ins, so that a script may redefine any of them.
// The value of this file is a function: given the host's operations it returns one that gives the steps by name.
// One file, long as it is: the engine reads it as one text, and all of it shares those references.
(hostCall, hostStart, hostLog, hostNames) => {
  const global = globalThis;
  const { Error, TypeError, InternalError, Date, RegExp, Map, Set, WeakMap, Promise, Proxy, Reflect, Symbol } = global;
  const { JSON, Array, Object, Number, String, BigInt, Math, ArrayBuffer, DataView, Uint8Array } = global;
  const { parse, stringify } = JSON;
  const { apply, getPrototypeOf, setPrototypeOf, defineProperty } = Reflect;
  const { isArray } = Array;
  const { freeze, keys: keysOf, hasOwn, create } = Object;
  const { isSafeInteger, isNaN } = Number;
  const uncurry =
    (method) =>
    (self, ...args) =>
      apply(method, self, args);
  const slice = uncurry(String.prototype.slice);
  const includes = uncurry(String.prototype.includes);
  const split = uncurry(String.prototype.split);
  const join = uncurry(Array.prototype.join);
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const mapDelete = uncurry(Map.prototype.delete);
  const mapForEach = uncurry(Map.prototype.forEach);
  const setForEach = uncurry(Set.prototype.forEach);
  const weakGet = uncurry(WeakMap.prototype.get);
  const weakSet = uncurry(WeakMap.prototype.set);
  const weakHas = uncurry(WeakMap.prototype.has);
  const dateToISOString = uncurry(Date.prototype.toISOString);
  const dateValue = uncurry(Date.prototype.getTime);
  const functionName = (fn) => (typeof fn.name === 'string' ? fn.name : '');
  const asyncPrototype = getPrototypeOf(async () => {});
  const asyncGeneratorPrototype = getPrototypeOf(async function* () {});
  const promisePrototype = Promise.prototype;
  const toText = String;
  const UNKNOWN_FUNCTION = -1;

  // ---- errors of calls ------------------------------------------------------------------------------------------

  const callErrors = new WeakMap();

  function callError({ code, message, tool }) {
    const error = new Error(message);
    error.code = code;
    if (tool) error.tool = tool;
    weakSet(callErrors, error, code);
    return error;
  }

  /** An answer is its JSON text behind '+' (a value) or '-' (an error). */
  function open(answer) {
    const text = slice(answer, 1);
    if (answer[0] === '+') return parse(text);
    throw callError(parse(text));
  }

  // ---- values going out -----------------------------------------------------------------------------------------

  const hidden = (target, key, value) =>
    defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });

  // What JSON would drop or refuse gets its nearest JSON form; built in as `toJSON`, so the native serialiser stays.
  hidden(BigInt.prototype, 'toJSON', function () {
    const number = Number(this);
    return isSafeInteger(number) ? number : toText(this);
  });
  hidden(Map.prototype, 'toJSON', function () {
    const entries = [];
    let named = true;
    mapForEach(this, (value, key) => {
      if (typeof key !== 'string') named = false;
      entries[entries.length] = [key, value];
    });
    if (!named) return entries;
    const object = { __proto__: null };
    for (let at = 0; at < entries.length; at++) object[entries[at][0]] = entries[at][1];
    return object;
  });
  hidden(Set.prototype, 'toJSON', function () {
    const values = [];
    setForEach(this, (value) => {
      values[values.length] = value;
    });
    return values;
  });
  hidden(Error.prototype, 'toJSON', function () {
    const { name, message, code, tool } = this;
    return { name, message, code, tool };
  });
  hidden(RegExp.prototype, 'toJSON', function () {
    return toText(this);
  });
  // `{}` would hide that the work behind it was never waited for.
  hidden(Promise.prototype, 'toJSON', () => {
    throw new TypeError(
      'the value holds a promise: await it first, or "await Promise.all(list)" where a list holds them',
    );
  });
  const bytesToJson = function () {
    const values = [];
    for (let at = 0; at < this.length; at++) values[at] = this[at];
    return values;
  };
  hidden(getPrototypeOf(Uint8Array.prototype), 'toJSON', bytesToJson);
  hidden(ArrayBuffer.prototype, 'toJSON', function () {
    return apply(bytesToJson, new Uint8Array(this), []);
  });

  /** JSON text of a value, or undefined where there is none (`undefined`, a function, a symbol). */
  function encode(value, what) {
    try {
      return stringify(value);
    } catch (error) {
      if (error instanceof TypeError && includes(toText(error.message), 'circular')) {
        throw new TypeError(`${what} refers to itself: pass plain data without cycles`);
      }
      throw error;
    }
  }

  // ---- namespaces -----------------------------------------------------------------------------------------------

  let inAsync = false;
  const waiting = new Map();
  const failed = [];

  /** Properties the language itself looks for in any value. */
  const ignored = parse('{"then":1,"toJSON":1,"constructor":1,"prototype":1,"valueOf":1,"inspect":1,"length":1}');

  /** A promise of a call is real; its prototype answers every other property with advice. */
  const touched = new WeakMap();
  /** Of each such promise: the function's name, and an error made where it was called. */
  const callsOf = new WeakMap();
  const advisingPrototype = new Proxy(create(promisePrototype), {
    get(_, key, promise) {
      if (key === 'then' || key === 'catch' || key === 'finally' || key === 'constructor') {
        weakSet(touched, promise, true);
        return promisePrototype[key];
      }
      if (typeof key === 'symbol' && key !== Symbol.iterator && key !== Symbol.asyncIterator)
        return promisePrototype[key];
      const { name, made } = weakGet(callsOf, promise) ?? { name: 'the call' };
      const wanted = typeof key === 'symbol' ? 'its items' : `"${key}"`;
      // Only a value on its way out is asked for `toJSON`: what its author has to add stands elsewhere.
      const advice =
        key === 'toJSON'
          ? `write "await ${name}(…)", or "await Promise.all(list)" for a list of them`
          : `write "(await ${name}(…))" before reading ${wanted}`;
      const error = new TypeError(`add await: ${name}(…) gives a promise here, because the code is async; ${advice}`);
      // The place to change is the call; the engine knows no place at all for a read by destructuring.
      if (made) error.stack = made.stack;
      throw error;
    },
    set() {
      throw new TypeError('add await: a promise of a call takes no properties');
    },
  });

  function startCall(index, args, name) {
    const id = hostStart(index, args);
    const promise = new Promise((resolve, reject) => {
      mapSet(waiting, id, { resolve, reject, name, promise: undefined });
    });
    mapGet(waiting, id).promise = promise;
    weakSet(callsOf, promise, { name, made: new Error() });
    setPrototypeOf(promise, advisingPrototype);
    return promise;
  }

  function hostFunction(namespace, name, index) {
    const full = `${namespace}.${name}`;
    const { [name]: fn } = {
      [name](args, ...more) {
        const given = more.length === 0 ? args : [args, ...more];
        const text = given === undefined ? '{}' : (encode(given, `the argument of ${full}`) ?? '{}');
        return inAsync ? startCall(index, text, full) : open(hostCall(index, text));
      },
    };
    return freeze(fn);
  }

  function unknown(namespace, name) {
    return open(hostCall(UNKNOWN_FUNCTION, stringify({ __proto__: null, namespace, name })));
  }

  /** The functions of a namespace by name, made when it is first used. */
  function functionsOf(handler) {
    if (handler.functions !== undefined) return handler.functions;
    const functions = { __proto__: null };
    const listed = parse(hostNames(handler.position));
    for (let at = 0; at < listed.length; at++)
      functions[listed[at][0]] = hostFunction(handler.name, listed[at][0], listed[at][1]);
    handler.functions = functions;
    return functions;
  }

  function refuseChange() {
    throw new TypeError(`${this.name} holds the host's functions and cannot be changed; use a variable of your own`);
  }

  /** What all namespaces share; each run has as many as there are servers, so that making one must cost little. */
  const namespaceTraps = {
    __proto__: null,
    get(_, key) {
      const known = functionsOf(this);
      if (typeof key === 'symbol') return undefined;
      const found = known[key];
      if (found !== undefined) return found;
      if (key === 'toString') return () => `[object ${this.name}]`;
      if (hasOwn(ignored, key)) return undefined;
      return unknown(this.name, key);
    },
    has(_, key) {
      return typeof key === 'string' && functionsOf(this)[key] !== undefined;
    },
    ownKeys() {
      return keysOf(functionsOf(this));
    },
    getOwnPropertyDescriptor(_, key) {
      const value = typeof key === 'string' ? functionsOf(this)[key] : undefined;
      return value && { value, writable: true, enumerable: true, configurable: true };
    },
    set: refuseChange,
    defineProperty: refuseChange,
    deleteProperty: refuseChange,
    setPrototypeOf: refuseChange,
    preventExtensions: refuseChange,
  };

  function namespaceOf(name, position) {
    const handler = { __proto__: namespaceTraps, name, position, functions: undefined };
    return new Proxy({ __proto__: null }, handler);
  }

  // ---- printing -------------------------------------------------------------------------------------------------

  const SHOWN_DEPTH = 4;
  const SHOWN_ITEMS = 100;

  function show(value, depth, above) {
    switch (typeof value) {
      case 'string':
        return depth === 0 ? value : stringify(value);
      case 'bigint':
        return `${toText(value)}n`;
      case 'function':
        return `[${functionName(value) === '' ? 'function' : `function ${functionName(value)}`}]`;
      case 'object':
        return value === null ? 'null' : showObject(value, depth, above);
      case 'number':
        return value === 0 && 1 / value < 0 ? '-0' : toText(value);
      default:
        return toText(value);
    }
  }

  function showObject(value, depth, above) {
    if (weakHas(callsOf, value)) return `Promise { ${weakGet(callsOf, value).name}(…), add await }`;
    if (value instanceof Promise) return 'Promise {}';
    if (value instanceof Error) {
      const text = `${toText(value.name)}: ${toText(value.message)}`;
      return depth === 0 || above.length === 0 ? text : `[${text}]`;
    }
    if (value instanceof Date) return isNaN(dateValue(value)) ? 'Invalid Date' : dateToISOString(value);
    if (value instanceof RegExp) return toText(value);
    for (let at = 0; at < above.length; at++) if (above[at] === value) return '[circular]';
    if (depth >= SHOWN_DEPTH) return isArray(value) ? '[…]' : '{…}';
    const inside = [];
    for (let at = 0; at < above.length; at++) inside[at] = above[at];
    inside[above.length] = value;
    const parts = [];
    const add = (text) => {
      if (parts.length < SHOWN_ITEMS) parts[parts.length] = text;
      else if (parts.length === SHOWN_ITEMS) parts[parts.length] = '…';
    };
    if (isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
      for (let at = 0; at < value.length && parts.length <= SHOWN_ITEMS; at++) add(show(value[at], depth + 1, inside));
      return `[${join(parts, ', ')}]`;
    }
    if (value instanceof Map) {
      mapForEach(value, (item, key) => add(`${show(key, depth + 1, inside)} => ${show(item, depth + 1, inside)}`));
      return `Map {${join(parts, ', ')}}`;
    }
    if (value instanceof Set) {
      setForEach(value, (item) => add(show(item, depth + 1, inside)));
      return `Set {${join(parts, ', ')}}`;
    }
    const keys = keysOf(value);
    for (let at = 0; at < keys.length && parts.length <= SHOWN_ITEMS; at++) {
      add(`${stringify(keys[at])}: ${show(value[keys[at]], depth + 1, inside)}`);
    }
    return `{${join(parts, ', ')}}`;
  }

  function print(...values) {
    let line = '';
    for (let at = 0; at < values.length; at++) {
      let text;
      try {
        text = show(values[at], 0, []);
      } catch (error) {
        if (error instanceof InternalError) throw error;
        text = '[cannot be shown]';
      }
      line += at === 0 ? text : ` ${text}`;
    }
    // Text leaves as C has it, where a NUL would be its end.
    hostLog(includes(line, '\0') ? join(split(line, '\0'), '␀') : line);
  }

  const consoleMethods = {};
  for (const name of ['log', 'warn', 'error', 'info', 'debug', 'trace', 'table', 'dir']) {
    consoleMethods[name] = { [name]: (...values) => print(...values) }[name];
  }
  hidden(global, 'console', consoleMethods);

  // ---- randomness -----------------------------------------------------------------------------------------------

  // sfc32: the engine's own generator would repeat itself after every restore of the snapshot.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 1;
  function nextWord() {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  }
  hidden(Math, 'random', function random() {
    return ((nextWord() >>> 5) * 67108864 + (nextWord() >>> 6)) / 9007199254740992;
  });

  // ---- what the worker calls ------------------------------------------------------------------------------------

  // More of an error's texts would only be cut later.
  const EXPLAINED_NAME_CHARS = 200;
  const EXPLAINED_MESSAGE_CHARS = 8_000;
  const EXPLAINED_STACK_CHARS = 20_000;

  /** A text of a thrown value, whatever reading it does. */
  function told(read, chars) {
    try {
      const text = toText(read());
      return text.length > chars ? `${slice(text, 0, chars)}…` : text;
    } catch (error) {
      if (error instanceof InternalError) throw error;
      return '[cannot be shown]';
    }
  }

  const steps = {
    __proto__: null,
    /** Fresh seeds (random 32-bit words), the namespaces' names as a JSON array, async top level, the params as JSON text. */
    begin(first, second, third, namespaces, async, params) {
      a = first | 0;
      b = second | 0;
      c = third | 0;
      const names = parse(namespaces);
      for (let at = 0; at < names.length; at++) {
        const value = namespaceOf(names[at], at);
        defineProperty(global, names[at], { value, writable: true, enumerable: false, configurable: true });
      }
      if (params !== undefined) hidden(global, 'params', parse(params));
      inAsync = async === 1;
    },
    /** The function of this name among the global object's properties. */
    find(name) {
      const value = global[name];
      return typeof value === 'function' ? value : undefined;
    },
    /** Calls the entry; async entries see promises of calls. */
    enter(entry, params) {
      const prototype = getPrototypeOf(entry);
      inAsync = prototype === asyncPrototype || prototype === asyncGeneratorPrototype;
      return params === undefined ? entry() : entry(parse(params));
    },
    /** Settles a call started earlier. */
    settle(id, answer) {
      const call = mapGet(waiting, id);
      mapDelete(waiting, id);
      try {
        call.resolve(open(answer));
      } catch (error) {
        // Where it was called: no code of the script's is under way where it fails.
        error.stack = weakGet(callsOf, call.promise).made.stack;
        call.reject(error);
        if (!weakHas(touched, call.promise)) failed[failed.length] = { call, error };
      }
    },
    /** Says in the log which calls failed with nobody looking. */
    report() {
      for (let at = 0; at < failed.length; at++) {
        const { call, error } = failed[at];
        if (!weakHas(touched, call.promise)) hostLog(`${call.name} was not awaited and failed: ${error.message}`);
      }
    },
    unwrap: (result) => result.value,
    /** Calls nobody awaited, which a successful run waits for: their number. */
    forgotten() {
      let count = 0;
      mapForEach(waiting, (call) => {
        if (!weakHas(touched, call.promise)) count++;
      });
      return count;
    },
    encode: (value) => encode(value, 'the returned value'),
    /** What the worker needs to know of a thrown value. */
    explain(thrown) {
      const isObject = typeof thrown === 'object' && thrown !== null;
      const isError = isObject && told(() => thrown instanceof Error, 5) === 'true';
      // Without a prototype: an `Object.prototype.toJSON` of the script's would have its say here.
      return stringify({
        __proto__: null,
        name: isError ? told(() => thrown.name, EXPLAINED_NAME_CHARS) : '',
        message: told(() => (isError ? thrown.message : show(thrown, 0, [])), EXPLAINED_MESSAGE_CHARS),
        stack: isError ? told(() => thrown.stack, EXPLAINED_STACK_CHARS) : '',
        code: isObject ? weakGet(callErrors, thrown) : undefined,
      });
    },
  };

  return (name) => steps[name];
};
