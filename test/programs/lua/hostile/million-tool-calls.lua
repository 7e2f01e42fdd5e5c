-- expect: tool_calls_exceeded
-- limits: {"cpuMs": 5000, "wallMs": 20000}
for i = 1, 1000000 do tools.echo { i = i } end
