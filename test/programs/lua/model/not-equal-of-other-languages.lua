-- expect-error: syntax: Lua writes "not equal" as ~=.
function Run(params)
  if params.name != nil then
    return params.name
  end
  return "nobody"
end
