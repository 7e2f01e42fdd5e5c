-- expect: tool_calls_exceeded
-- limits: {"cpuMs": 5000, "wallMs": 20000}
local list = {}
for i = 1, 20000 do list[i] = function() return tools.echo { i = i } end end
return #parallel(list)
