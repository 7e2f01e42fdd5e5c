-- expect: runtime
local ok, e = pcall(tools.forbidden)
error(setmetatable({ code = 'quota_exceeded', message = e.message, tool = e.tool }, getmetatable(e) or nil))
