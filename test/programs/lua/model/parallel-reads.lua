-- expect-value: {"a":"alpha","b":"beta\nbravo","n":3}
function Run()
  local a, b, c = parallel(
    function() return os.read_file({ path = "/a.txt" }) end,
    function() return os.read_file({ path = "/b.txt" }) end,
    function() return tools.slow({ ms = 5, value = 3 }) end
  )
  return { a = a, b = b, n = c }
end
