-- expect: timeout
local a = coroutine.wrap(function() while true do coroutine.yield() end end)
while true do a() end
