-- expect: memory
local f
while true do
  local g = f
  f = function() return g end
end
