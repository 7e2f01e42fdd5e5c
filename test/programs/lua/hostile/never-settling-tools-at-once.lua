-- expect: timeout
-- limits: {"wallMs": 300}
return parallel(function() return tools.never() end, function() return tools.never() end, function() error('x') end)
