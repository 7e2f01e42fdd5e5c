-- Encodings begun by finalizers in the middle of another must not mix with it.
-- expect-value: true
local list = {}
for i = 1, 300 do
  list[i] = { [('key'):rep(20) .. i] = i, text = ('value'):rep(10) .. i }
  setmetatable({}, { __gc = function() if i % 10 == 0 then tools.echo { inner = { 1, 2, { i } } } end end })
end
local back = tools.echo(list)
for i = 1, 300 do
  if back[i][('key'):rep(20) .. i] ~= i or back[i].text ~= ('value'):rep(10) .. i then return i end
end
return #back == 300
