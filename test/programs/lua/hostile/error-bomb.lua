-- expect: runtime
error(('x'):rep(6000000))
