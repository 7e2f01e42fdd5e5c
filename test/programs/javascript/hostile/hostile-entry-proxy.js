// expect: runtime
const Run = new Proxy(function () {}, {
  getPrototypeOf() { throw new RangeError('trap'); },
  apply() { throw new RangeError('apply trap'); },
});
