-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = memory.search_nodes({query = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return memory.search_nodes({query = "example"}) end, function() return memory.read_graph() end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class memory server server-memory; called as memory.name({…})
---@field create_entities fun(args: {entities: {name: string, entityType: string, observations: string[]}[]}): {entities: {name: string, entityType: string, observations: string[]}[]} Create multiple new entities in the knowledge graph
---@field create_relations fun(args: {relations: {from: string, to: string, relationType: string}[]}): {relations: {from: string, to: string, relationType: string}[]} Create multiple new relations between entities in the knowledge graph.
---@field add_observations fun(args: {observations: {entityName: string, contents: string[]}[]}): {results: {entityName: string, addedObservations: string[]}[]} Add new observations to existing entities in the knowledge graph
---@field delete_entities fun(args: {entityNames: string[]}): {success: boolean, message: string} Delete multiple entities and their associated relations from the knowledge graph
---@field delete_observations fun(args: {deletions: {entityName: string, observations: string[]}[]}): {success: boolean, message: string} Delete specific observations from entities in the knowledge graph
---@field delete_relations fun(args: {relations: {from: string, to: string, relationType: string}[]}): {success: boolean, message: string} Delete multiple relations from the knowledge graph
---@field read_graph fun(): {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]} Read the entire knowledge graph
---@field search_nodes fun(args: {query: string}): {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]} Search for nodes in the knowledge graph based on a query
---@field open_nodes fun(args: {names: string[]}): {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]} Open specific nodes in the knowledge graph by their names

-- Example
function Run(params)
  local first = memory.search_nodes({query = "example"})
  local second = memory.read_graph()
  console.log("2 calls answered")
  return {first = first, second = second}
end
