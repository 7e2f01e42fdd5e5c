-- expect-value: [3,"it broke",[1,2],"[1,2]"]
local unpack = table.unpack
for _, lib in ipairs { string, table, math, coroutine, utf8 } do
  for key in next, lib do lib[key] = nil end
end
local keep = { tools = true, parallel = true, pcall = true, tostring = true, print = true, _G = true, next = true }
for key in next, _G do
  if not keep[key] then _G[key] = nil end
end
local ok, e = pcall(tools.fail, { message = 'it broke' })
local a, b = parallel(function() return 1 end, function() return tools.echo { n = 2 }.n end)
return { tools.add { a = 1, b = 2 }, tostring(e), { a, b }, '[' .. a .. ',' .. b .. ']' }
