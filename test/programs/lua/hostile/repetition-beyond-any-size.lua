-- expect: memory
return #('xyz'):rep(1 << 62)
