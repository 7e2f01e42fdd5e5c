-- expect-value: "3.14 | 007 | x"
-- expect-log: {"a":1,"list":[1,2]}
function Run()
  print({ a = 1, list = { 1, 2 } })
  console.info("done", true)
  return string.format("%.2f | %03d | %s", math.pi, 7, "x")
end
