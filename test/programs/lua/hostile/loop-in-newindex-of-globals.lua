-- expect: timeout
setmetatable(_G, { __newindex = function() while true do end end, __index = function() while true do end end })
anything = 1
function Run() return anything end
