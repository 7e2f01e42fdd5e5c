-- expect-error: runtime: at value.inner[1]
local t = { inner = {} }
t.inner[1] = t
return t
