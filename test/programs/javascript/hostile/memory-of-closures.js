// expect: memory
// limits: {"cpuMs": 5000, "wallMs": 20000}
let last = () => 0;
for (;;) {
  const before = last;
  last = () => before;
}
