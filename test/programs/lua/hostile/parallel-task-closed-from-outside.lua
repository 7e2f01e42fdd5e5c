-- expect: runtime
local co
return parallel(
  function() co = coroutine.running() return tools.slow { ms = 20, value = 1 } end,
  function() coroutine.close(co) return 2 end
)
