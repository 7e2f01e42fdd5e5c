-- expect-error: runtime: There is no push in Lua: add with t[#t + 1] = value
function Run()
  local out = {}
  out.push("a")
  return out
end
