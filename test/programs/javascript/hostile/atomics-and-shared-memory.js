// expect: timeout
const words = new Int32Array(typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(4) : 4);
for (;;) {
  try {
    Atomics.wait(words, 0, 0, 10);
  } catch {}
}
