-- expect: memory
return #('x'):rep(1000000000)
