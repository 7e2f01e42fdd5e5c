// expect-error: runtime: recurses too deeply
// limits: {"cpuMs": 10000, "wallMs": 30000}
let deep = [];
for (let at = 0; at < 100000; at++) deep = [deep];
return deep;
