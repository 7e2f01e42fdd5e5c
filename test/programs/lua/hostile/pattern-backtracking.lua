-- expect: timeout
local s = ('a'):rep(3000)
return s:find(('.-'):rep(12) .. 'b')
