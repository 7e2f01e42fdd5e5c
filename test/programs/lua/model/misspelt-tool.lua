-- expect-error: function_not_found: os.raed_file
function Run()
  return os.raed_file({ path = "/a.txt" })
end
