-- expect: runtime
local function f(s) return (s:gsub('x', f)) end
return f('x')
