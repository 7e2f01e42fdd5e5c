// expect: tool_calls_exceeded
// limits: {"cpuMs": 20000, "wallMs": 30000}
async function Run() {
  const text = 'x'.repeat(100000);
  for (let at = 0; at < 1100; at++) tools.echo({ text });
}
