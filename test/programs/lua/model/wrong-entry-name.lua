-- expect-error: entry_not_found: defined here: main
function main(params)
  return 1
end
