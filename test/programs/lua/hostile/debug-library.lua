-- expect-value: []
local found = {}
for _, name in ipairs { 'getinfo', 'getlocal', 'getupvalue', 'setupvalue', 'upvaluejoin', 'getregistry', 'sethook',
  'getmetatable', 'setmetatable', 'setuservalue' } do
  if pcall(function() return debug[name] end) then found[#found + 1] = name end
end
return array(found)
