-- expect: ok
local s = os.date(('%c'):rep(5000), 1 << 40)
return #s > 5000
