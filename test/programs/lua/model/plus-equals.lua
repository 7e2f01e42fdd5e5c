-- expect-error: syntax: Lua has no +=
function Run()
  local sum = 0
  for i = 1, 3 do
    sum += i
  end
  return sum
end
