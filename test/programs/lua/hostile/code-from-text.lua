-- expect-value: []
local found = {}
for _, name in ipairs { 'load', 'loadstring', 'loadfile', 'dofile', 'require' } do
  local ok, message = pcall(_G[name], 'return 1')
  if ok or not tostring(message):find('does not exist here', 1, true) then found[#found + 1] = name end
end
if pcall(string.dump, print) then found[#found + 1] = 'string.dump' end
return array(found)
