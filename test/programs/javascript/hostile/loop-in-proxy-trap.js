// expect: timeout
const trap = new Proxy({}, { ownKeys() { while (true) {} } });
console.log(trap);
