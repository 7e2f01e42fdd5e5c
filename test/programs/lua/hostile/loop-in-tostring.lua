-- expect: timeout
print(setmetatable({}, { __tostring = function() while true do end end }))
return 1
