-- expect: runtime
return string.format('%999999999d', 1)
