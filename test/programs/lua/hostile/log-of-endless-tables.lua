-- expect: ok
local t = {}
t.self = t
for i = 1, 40 do t = { t, t } end
print(t)
return 1
