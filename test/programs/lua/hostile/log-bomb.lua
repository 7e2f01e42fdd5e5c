-- expect: timeout
-- expect-log: the log was cut
while true do print('a line of the log', 1, 2, 3) end
