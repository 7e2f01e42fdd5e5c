-- expect: output_too_large
local part = ('x'):rep(1000000)
local t = {}
for i = 1, 60 do t[i] = part end
return t
