-- expect-error: runtime: require does not exist here
local json = require("json")
function Run()
  return json.encode({ a = 1 })
end
