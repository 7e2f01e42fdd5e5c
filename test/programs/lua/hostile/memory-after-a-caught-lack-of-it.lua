-- A lack of memory can be caught, and leaves a script that works.
-- expect-value: [false,"not enough memory",3]
local ok, message = pcall(string.rep, 'x', 1000000000)
return { ok, message, tools.add { a = 1, b = 2 } }
