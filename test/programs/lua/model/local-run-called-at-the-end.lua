-- expect-value: {"lines":2}
local function count_lines(text)
  local n = 0
  for _ in text:gmatch("[^\n]+") do n = n + 1 end
  return n
end

local function Run()
  return { lines = count_lines(os.read_file { path = "/b.txt" }) }
end

return Run()
