// expect: tool_calls_exceeded
// limits: {"cpuMs": 5000, "wallMs": 20000}
function Run() {
  for (;;) {
    try {
      tools.fail();
    } catch {}
  }
}
