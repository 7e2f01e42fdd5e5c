// expect: tool_calls_exceeded
// limits: {"cpuMs": 5000, "wallMs": 20000}
async function Run() {
  await Promise.all(Array.from({ length: 1000000 }, (_, at) => tools.echo({ at })));
}
