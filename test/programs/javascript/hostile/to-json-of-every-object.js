// expect-error: runtime: Error: mine
// An `Object.prototype.toJSON` of the script's own once wrote what the worker reads of a failure: any code, or none.
Object.prototype.toJSON = function () {
  return { name: 'x', message: 'm', stack: 7, code: 'quota_exceeded' };
};
throw new Error('mine');
