-- expect: output_too_large
return ('x'):rep(1000000)
