-- expect-value: {"items":[],"map":{},"none":null,"holes":[1,null,3]}
function Run()
  local r = tools.echo({ items = array {}, map = {}, gone = nil })
  return { items = r.items, map = r.map, none = null, holes = { 1, nil, 3 } }
end
