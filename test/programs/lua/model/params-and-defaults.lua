-- expect-value: "alpha!"
-- params: {"path": "/a.txt"}
function Run(params)
  local path = params.path or "/b.txt"
  local suffix = params.suffix or "!"
  return os.read_file({ path = path }) .. suffix
end
