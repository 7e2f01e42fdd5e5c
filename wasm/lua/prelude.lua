-- Runs once, before any script, with the host's functions as arguments. What it leaves in the global table is all that a
-- script finds there; everything it needs itself is held in locals, out of a script's reach.
local log_tab, log_space, write, wait, task, member, members, encode, decode, CALL, array_mark, NULL = ...

local _G, error, getmetatable, ipairs, next, rawget, rawset, select, setmetatable, tostring, type =
  _G, error, getmetatable, ipairs, next, rawget, rawset, select, setmetatable, tostring, type
local collect = collectgarbage
local create, resume, status, yield, running, isyieldable =
  coroutine.create, coroutine.resume, coroutine.status, coroutine.yield, coroutine.running, coroutine.isyieldable
local unpack = table.unpack
local string, format = string, string.format
local seed = math.randomseed

-- What stands for null in lists, and may stand for it anywhere.
null = NULL

-- Tools put JSON into text; results of functions are decoded already.
json = { encode = encode, decode = decode }

-- Doors of the interpreter that do not exist here; calling one says what there is instead.
local function missing(name, instead)
  return function()
    error(format('%s does not exist here: %s', name, instead), 2)
  end
end

local function closed(name, instead)
  return setmetatable({}, {
    __index = function(_, key)
      error(format('%s.%s does not exist here: %s', name, tostring(key), instead), 2)
    end,
    __metatable = false,
  })
end

local NO_MODULES = 'the sandbox has no modules or files; its libraries are string, table, math, utf8, coroutine, json, os (time) '
  .. 'and the servers\' functions'
local NO_CODE = 'code cannot be made from text at run time; write a function instead'
require = missing('require', NO_MODULES)
dofile = missing('dofile', NO_MODULES)
loadfile = missing('loadfile', NO_MODULES)
load = missing('load', NO_CODE)
loadstring = missing('loadstring', NO_CODE)
string.dump = missing('string.dump', NO_CODE)
package = closed('package', NO_MODULES)
debug = closed('debug', 'print values with console.log; an uncaught error shows its line')
-- xpcall(f, debug.traceback) is a habit; a trace has nothing to add to the message.
function debug.traceback(message)
  return message
end

local time, date, clock, difftime = os.time, os.date, os.clock, os.difftime
local NO_SYSTEM = 'the sandbox has no environment, files or processes; use the servers\' functions'
os = { time = time, date = date, clock = clock, difftime = difftime }
for _, name in ipairs { 'execute', 'exit', 'getenv', 'remove', 'rename', 'setlocale', 'tmpname' } do
  os[name] = missing('os.' .. name, NO_SYSTEM)
end

function collectgarbage(option)
  if option == nil or option == 'collect' or option == 'step' then
    return collect('collect')
  elseif option == 'count' then
    return collect('count')
  end
  error("collectgarbage takes only 'collect' and 'count' here", 2)
end

-- Printing. io.write has no line end of its own: the host holds a line back until it ends.
print = log_tab
warn = log_tab
console = { log = log_space, info = log_space, debug = log_space, warn = log_space, error = log_space }

local NO_FILES = 'the sandbox has no files; io.write and print go to the logs'
local out = {}
local function chain()
  return out
end
local function put(...)
  for i = 1, select('#', ...) do
    local kind = type((select(i, ...)))
    if kind ~= 'string' and kind ~= 'number' then
      error(format("bad argument #%d to 'write' (string expected, got %s)", i, kind), 3)
    end
  end
  write(...)
  return out
end
function out.write(_, ...)
  return put(...)
end
out.flush, out.close, out.setvbuf = chain, chain, chain
io = closed('io', NO_FILES)
function io.write(...)
  return put(...)
end
io.stdout, io.stderr = out, out

-- Marks a table as a list, so that an empty one is written as [].
function array(list)
  if list == nil then
    list = {}
  elseif type(list) ~= 'table' then
    error(format("bad argument #1 to 'array' (table expected, got %s)", type(list)), 2)
  end
  return setmetatable(list, array_mark)
end

-- parallel: each function runs in a coroutine of its own. A host call in it yields (CALL, id) instead of blocking, and
-- whichever call settles first lets its coroutine go on. One queue serves nested groups too.
local PARK = {}
local tasks = setmetatable({}, { __mode = 'k' })
local ready, first, last = {}, 1, 0
local later, waiting, in_flight = {}, {}, 0

local function push(item)
  last = last + 1
  ready[last] = item
end

local function step(item)
  local co, group = item.co, item.group
  local ok, value, id = resume(co)
  if status(co) == 'dead' then
    task(co, false)
    group.ok[item.index], group.values[item.index] = ok, value
    group.left = group.left - 1
    if group.left == 0 and group.parent then
      push(group.parent)
    end
  elseif value == CALL then
    waiting[id] = item
    in_flight = in_flight + 1
  elseif value ~= PARK then
    -- A yield of the script's own: the others go first.
    later[#later + 1] = item
  end
end

local function drive(group)
  while group.left > 0 do
    if first <= last then
      local item = ready[first]
      ready[first] = nil
      first = first + 1
      step(item)
    else
      if in_flight > 0 then
        local id = wait()
        local item = waiting[id]
        if item then
          waiting[id] = nil
          in_flight = in_flight - 1
          push(item)
        end
      elseif #later == 0 then
        error('parallel: its functions wait for each other', 3)
      end
      for i = 1, #later do
        push(later[i])
      end
      later = {}
    end
  end
end

local function callable(value)
  if type(value) == 'function' then
    return true
  end
  local meta = getmetatable(value)
  return type(meta) == 'table' and rawget(meta, '__call') ~= nil
end

function parallel(...)
  local functions, count = { ... }, select('#', ...)
  local listed = count == 1 and type(functions[1]) == 'table' and not callable(functions[1])
  if listed then
    functions = functions[1]
    count = #functions
  end
  for i = 1, count do
    if not callable(functions[i]) then
      error(
        format(
          'parallel takes functions, and number %d is a %s: write parallel(function() return … end, function() return … end)',
          i,
          type(functions[i])
        ),
        2
      )
    end
  end
  local group = { left = count, ok = {}, values = {} }
  for i = 1, count do
    local fn = functions[i]
    local co = create(type(fn) == 'function' and fn or function()
      return fn()
    end)
    local item = { co = co, group = group, index = i }
    tasks[co] = item
    task(co, true)
    push(item)
  end
  local parent = tasks[running()]
  if parent and count > 0 and isyieldable() then
    group.parent = parent
    yield(PARK)
  else
    drive(group)
  end
  for i = 1, count do
    if not group.ok[i] then
      error(group.values[i], 0)
    end
  end
  if not listed then
    return unpack(group.values, 1, count)
  end
  local results = setmetatable({}, array_mark)
  for i = 1, count do
    local value = group.values[i]
    if value == nil then
      value = NULL
    end
    results[i] = value
  end
  return results
end

-- What a failed host call raises: readable as text and as a table.
local text_of = function(e)
  return tostring(rawget(e, 'message'))
end
local error_meta = {
  __name = 'error',
  __metatable = false,
  __tostring = text_of,
  __concat = function(a, b)
    return tostring(a) .. tostring(b)
  end,
  __len = function(e)
    return #text_of(e)
  end,
  -- err:find(…), err:match(…) and the like work on the message.
  __index = function(_, key)
    local method = rawget(string, key)
    return method and function(e, ...)
      return method(tostring(e), ...)
    end
  end,
}

-- A namespace finds its functions when they are first named. An alias that is also a library's name adds to the library
-- (the host's functions win); one that is a function's name leaves the function callable.
local function install(name, id)
  local existing = rawget(_G, name)
  local target = {}
  if type(existing) == 'table' then
    if getmetatable(existing) == nil then
      target = existing
    else
      for key, value in next, existing do
        target[key] = value
      end
    end
    for _, key in ipairs(members(id)) do
      target[key] = member(id, key, target)
    end
  end
  _G[name] = setmetatable(target, {
    __index = function(self, key)
      if type(key) ~= 'string' then
        return nil
      end
      local found = member(id, key, self)
      rawset(self, key, found)
      return found
    end,
    __pairs = function(self)
      for _, key in ipairs(members(id)) do
        if rawget(self, key) == nil then
          rawset(self, key, member(id, key, self))
        end
      end
      return next, self, nil
    end,
    __call = type(existing) == 'function' and function(_, ...)
      return existing(...)
    end or nil,
    __metatable = false,
  })
end

return error_meta, seed, install
