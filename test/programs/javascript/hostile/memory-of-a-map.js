// expect: memory
// limits: {"cpuMs": 5000, "wallMs": 20000}
const map = new Map();
for (let at = 0; ; at++) map.set('key' + at, { at });
