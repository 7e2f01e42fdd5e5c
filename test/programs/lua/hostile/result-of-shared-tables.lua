-- 2^40 places: the time ends before the text does.
-- expect: timeout
local t = { 1 }
for i = 1, 40 do t = { t, t } end
return t
