// expect: memory
// limits: {"cpuMs": 5000, "wallMs": 20000}
let text = 'x';
while (true) text += text + text;
