-- expect: timeout
local list = {}
for i = 1, 20000 do
  list[i] = { [('key'):rep(20) .. i] = i }
  setmetatable({}, { __gc = function() while true do end end })
end
return list
