-- expect-error: syntax: write elseif
function Run(params)
  if params.a then
    return 1
  else if params.b then
    return 2
  end
  return 3
end
