-- expect-value: {"sum":6,"count":3}
function Run()
  local items = tools.list({ n = 3 }).items
  local sum = 0
  for _, v in ipairs(items) do sum = sum + v end
  return { sum = sum, count = #items }
end
