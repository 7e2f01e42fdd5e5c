-- expect-value: [[1],[],[2]]
local list = tools.list { n = 0 }.items
getmetatable(list).__index = function() while true do end end
getmetatable(list).__len = function() while true do end end
return { array { 1 }, list, array { 2 } }
