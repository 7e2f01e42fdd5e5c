-- expect: memory
local part = ('x'):rep(1000000)
local t = {}
for i = 1, 1000 do t[i] = part end
return #table.concat(t)
