-- Pattern matching and callbacks at the bounds of both: C's stack must not run over into data.
-- expect-value: true
local depth, deepest = 0, 0
local text = ('x'):rep(190)
local function f()
  depth = depth + 1
  if depth > deepest then deepest = depth end
  pcall(string.find, text, ('(x'):rep(30) .. (')'):rep(30) .. ('x?'):rep(150))
  pcall(string.format, ('%s %q %a'):rep(5), table.unpack({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }))
  if depth < 1000 then pcall(string.gsub, 'x', '^x', f) end
  return 'x'
end
pcall(f)
return deepest > 50 and tools.add { a = 40, b = 2 } == 42
