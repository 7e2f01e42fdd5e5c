-- expect-value: []
local found = {}
local function try(name, f) if pcall(f) then found[#found + 1] = name end end
try('os.getenv', function() return os.getenv('PATH') end)
try('os.execute', function() return os.execute('id') end)
try('os.exit', function() os.exit(1) end)
try('os.remove', function() return os.remove('/tmp/x') end)
try('os.rename', function() return os.rename('/tmp/x', '/tmp/y') end)
try('os.tmpname', function() return os.tmpname() end)
try('os.setlocale', function() return os.setlocale('C') end)
try('io.open', function() return io.open('/etc/passwd') end)
try('io.popen', function() return io.popen('id') end)
try('io.lines', function() return io.lines('/etc/passwd') end)
try('io.read', function() return io.read() end)
try('io.stdin', function() return io.stdin:read() end)
try('package.path', function() return package.path end)
try('package.loaded', function() return package.loaded.os end)
try('package.loadlib', function() return package.loadlib('x', 'y') end)
return array(found)
