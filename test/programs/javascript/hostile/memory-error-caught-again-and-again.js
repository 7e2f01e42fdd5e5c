// expect: timeout
const kept = [];
for (;;) {
  try {
    kept.push(new Array(100000).fill(1));
  } catch {}
}
