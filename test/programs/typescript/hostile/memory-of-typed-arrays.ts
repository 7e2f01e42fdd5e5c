// expect: memory
const kept: Uint8Array[] = [];
for (;;) kept.push(new Uint8Array(8 * 1024 * 1024));
