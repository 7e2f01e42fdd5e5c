-- expect: timeout
-- expect-log: before
print('before')
::again:: goto again
