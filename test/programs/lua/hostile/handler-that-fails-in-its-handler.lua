-- expect-value: false
local function h() error('in the handler') end
local ok = xpcall(function() error('first') end, h)
return ok
