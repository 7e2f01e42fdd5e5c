// expect: tool_calls_exceeded
// limits: {"cpuMs": 5000, "wallMs": 20000}
function Run() {
  for (let at = 0; at < 1000000; at++) tools.echo({ at });
}
