-- expect: timeout
local function f() return pcall(f) or f() end
while true do pcall(f) end
