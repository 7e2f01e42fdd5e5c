-- expect: tool_calls_exceeded
-- limits: {"cpuMs": 5000, "wallMs": 20000}
while true do pcall(tools.fail, {}) end
