-- expect: timeout
while true do
  local s = ('x'):rep(10000000)
end
