-- expect-value: {"failed":["/nope.txt: no such file: /nope.txt"],"read":1}
-- expect-log: could not read /nope.txt: no such file
function Run()
  local read, failed = 0, {}
  for _, path in ipairs { "/a.txt", "/nope.txt" } do
    local ok, result = pcall(os.read_file, { path = path })
    if ok then
      read = read + 1
    else
      print("could not read " .. path .. ": " .. result)
      failed[#failed + 1] = path .. ": " .. result.message
    end
  end
  return { read = read, failed = failed }
end
