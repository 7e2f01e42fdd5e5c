-- expect-value: {"groups":{"even":[2],"odd":[1,3]},"sorted":[3,2,1]}
function Run()
  local items = tools.list { n = 3 }.items
  local groups = {}
  for _, v in ipairs(items) do
    local key = v % 2 == 0 and "even" or "odd"
    groups[key] = groups[key] or {}
    table.insert(groups[key], v)
  end
  table.sort(items, function(a, b) return a > b end)
  return { groups = groups, sorted = items }
end
