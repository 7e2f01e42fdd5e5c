-- expect: timeout
local t = setmetatable({}, { __index = function() repeat until false end })
return t.x
