-- expect-error: runtime: nothing to do
function Run(params)
  if not params.path then return nil, "nothing to do" end
  return true
end
