-- expect: timeout
local n = 0
for i = 1, math.huge do n = n + i end
return n
