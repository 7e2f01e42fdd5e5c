// expect: timeout
let deep = [];
for (let at = 0; at < 20000; at++) deep = [deep];
for (;;) {
  try {
    tools.echo({ deep });
  } catch {}
}
