-- expect-error: runtime: collectgarbage takes only
collectgarbage('stop')
