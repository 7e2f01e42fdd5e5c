-- expect-value: [11,12,13]
function Run()
  local jobs = {}
  for i = 1, 3 do
    jobs[i] = function() return tools.add({ a = 10, b = i }) end
  end
  return parallel(jobs)
end
