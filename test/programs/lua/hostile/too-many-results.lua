-- expect: runtime
return table.unpack({}, 1, 100000000)
