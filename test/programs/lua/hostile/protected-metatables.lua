-- expect-value: [false,false,false,false]
local _, e = pcall(tools.fail)
return { (pcall(setmetatable, tools, {})), (pcall(setmetatable, e, {})), getmetatable(tools), getmetatable(e) }
