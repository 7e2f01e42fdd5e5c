-- expect: timeout
parallel(function() while true do coroutine.yield() end end, function() return tools.slow { ms = 1 } end)
