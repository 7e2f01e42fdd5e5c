-- expect: timeout
while true do
  pcall(function() while true do error('again') end end)
end
