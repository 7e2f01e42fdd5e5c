-- expect-error: runtime: Lists count from 1
function Run()
  local rows = { { id = 7 }, { id = 8 } }
  return rows[0].id
end
