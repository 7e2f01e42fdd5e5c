-- expect: runtime
local co
parallel(
  function() co = coroutine.running() return tools.slow { ms = 20, value = 1 } end,
  function() coroutine.resume(co) return 2 end
)
return 1
