-- expect-value: ["fine",7]
local meta = getmetatable('')
meta.__index = function() error('poisoned') end
meta.__add = function() return 7 end
meta.__gc = function() while true do end end
local back = tools.echo { text = 'fine' }
return { back.text, 'a' + 'b' }
