-- expect-error: runtime: tools.echo: the table contains itself
local t = {}
t.t = t
return tools.echo(t)
