// expect: memory
// limits: {"cpuMs": 5000, "wallMs": 20000}
const all = [];
while (true) all.push(new Array(1000).fill(all.length));
