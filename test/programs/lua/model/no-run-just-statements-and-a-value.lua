-- expect-value: ["alpha","beta\nbravo"]
local results = {}
for _, path in ipairs({ "/a.txt", "/b.txt" }) do
  table.insert(results, os.read_file({ path = path }))
end
results
