-- expect: runtime
return string.pack('!16' .. ('i16'):rep(100000), 1)
