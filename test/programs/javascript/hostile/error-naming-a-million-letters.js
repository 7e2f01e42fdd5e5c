// expect-error: runtime: ReferenceError
// A name too long to be looked for by a pattern once took the worker with it.
throw new ReferenceError(`'${'a'.repeat(1_000_000)}' is not defined`);
