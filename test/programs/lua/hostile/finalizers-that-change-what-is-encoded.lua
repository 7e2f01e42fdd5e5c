-- Keys vanish while their table is written: the answer may be anything that is JSON.
-- expect: ok
local t = {}
for i = 1, 2000 do
  t[('a key that is too long to be interned '):rep(2) .. i] = ('v'):rep(50) .. i
end
for i = 1, 2000 do
  setmetatable({}, { __gc = function() local k = next(t) if k then t[k] = nil end end })
end
return t
