-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = memory.search_nodes({query = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return memory.search_nodes({query = "example"}) end, function() return memory.read_graph() end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- memory: server server-memory
--- Create multiple new entities in the knowledge graph
---@param args {entities: {name: string, entityType: string, observations: string[]}[]}
---@return {entities: {name: string, entityType: string, observations: string[]}[]}
function memory.create_entities(args) end
--- Create multiple new relations between entities in the knowledge graph.
---@param args {relations: {from: string, to: string, relationType: string}[]}
---@return {relations: {from: string, to: string, relationType: string}[]}
function memory.create_relations(args) end
--- Add new observations to existing entities in the knowledge graph
---@param args {observations: {entityName: string, contents: string[]}[]}
---@return {results: {entityName: string, addedObservations: string[]}[]}
function memory.add_observations(args) end
--- Delete multiple entities and their associated relations from the knowledge graph
---@param args {entityNames: string[]}
---@return {success: boolean, message: string}
function memory.delete_entities(args) end
--- Delete specific observations from entities in the knowledge graph
---@param args {deletions: {entityName: string, observations: string[]}[]}
---@return {success: boolean, message: string}
function memory.delete_observations(args) end
--- Delete multiple relations from the knowledge graph
---@param args {relations: {from: string, to: string, relationType: string}[]}
---@return {success: boolean, message: string}
function memory.delete_relations(args) end
--- Read the entire knowledge graph
---@return {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]}
function memory.read_graph() end
--- Search for nodes in the knowledge graph based on a query
---@param args {query: string}
---@return {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]}
function memory.search_nodes(args) end
--- Open specific nodes in the knowledge graph by their names
---@param args {names: string[]}
---@return {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]}
function memory.open_nodes(args) end

-- Example
function Run(params)
  local first = memory.search_nodes({query = "example"})
  local second = memory.read_graph()
  console.log("2 calls answered")
  return {first = first, second = second}
end
