-- expect-log: the log was cut
print(('x'):rep(30000000))
io.write(('y'):rep(30000000))
return 1
