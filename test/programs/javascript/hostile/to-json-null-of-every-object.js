// expect-error: runtime: Error: mine
Object.prototype.toJSON = () => null;
throw new Error('mine');
