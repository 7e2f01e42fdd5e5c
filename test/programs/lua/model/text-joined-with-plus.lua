-- expect-error: runtime: joined with ..
function Run()
  local name = os.read_file({ path = "/a.txt" })
  return "name: " + name
end
