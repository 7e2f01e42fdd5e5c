-- expect: memory
-- limits: {"cpuMs": 20000, "wallMs": 30000}
local function f() return parallel(f, f) end
return f()
