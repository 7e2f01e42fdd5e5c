-- expect: memory
local s = ('x'):rep(1000000)
return #s:gsub('x', ('y'):rep(1000))
