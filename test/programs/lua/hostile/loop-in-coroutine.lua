-- expect: timeout
return coroutine.wrap(function() while true do end end)()
