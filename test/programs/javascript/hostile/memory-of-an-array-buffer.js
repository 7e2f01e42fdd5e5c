// expect: memory
const kept = [];
for (;;) kept.push(new ArrayBuffer(8 * 1024 * 1024));
