-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = everything.echo({message = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return everything.echo({message = "example"}) end, function() return everything.get_annotated_message({messageType = "error"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class everything server server-everything; called as everything.name({…})
---@field echo fun(args: {message: string}) Echoes back the input string
---@field get_annotated_message fun(args: {messageType: "error"|"success"|"debug", includeImage?: boolean}) Demonstrates how annotations can be used to provide metadata about content. [get-annotated-message]
---@field get_env fun() Returns all environment variables, helpful for debugging MCP server configuration [get-env]
---@field get_resource_links fun(args: {count?: number}) Returns up to ten resource links that reference different types of resources [get-resource-links]
---@field get_resource_reference fun(args: {resourceType?: "Text"|"Blob", resourceId?: number}) Returns a resource reference that can be used by MCP clients [get-resource-reference]
---@field get_structured_content fun(args: {location: "New York"|"Chicago"|"Los Angeles"}): {temperature: number, conditions: string, humidity: number} Returns structured content along with an output schema for client data validation [get-structured-content]
---@field get_sum fun(args: {a: number, b: number}) Returns the sum of two numbers [get-sum]
---@field get_tiny_image fun() Returns a tiny MCP logo image. [get-tiny-image]
---@field gzip_file_as_resource fun(args: {name?: string, data?: string, outputType?: "resourceLink"|"resource"}) Compresses a single file using gzip compression. [gzip-file-as-resource]
---@field toggle_simulated_logging fun() Toggles simulated, random-leveled logging on or off. [toggle-simulated-logging]
---@field toggle_subscriber_updates fun() Toggles simulated resource subscription updates on or off. [toggle-subscriber-updates]
---@field trigger_long_running_operation fun(args: {duration?: number, steps?: number}) Demonstrates a long running operation with progress updates. [trigger-long-running-operation]
---@field simulate_research_query fun(args: {topic: string, ambiguous?: boolean}) Simulates a deep research operation that gathers, analyzes, and synthesizes information. [simulate-research-query]

-- Example
function Run(params)
  local first = everything.echo({message = "example"})
  local second = everything.get_annotated_message({messageType = "error"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
