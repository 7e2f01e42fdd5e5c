-- expect: timeout
-- limits: {"wallMs": 300}
return tools.never()
