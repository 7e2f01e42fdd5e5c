-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = everything.echo({message = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return everything.echo({message = "example"}) end, function() return everything.get_annotated_message({messageType = "error"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- everything: server server-everything
--- Echoes back the input string
---@param args {message: string}
function everything.echo(args) end
--- Demonstrates how annotations can be used to provide metadata about content. [get-annotated-message]
---@param args {messageType: "error"|"success"|"debug", includeImage?: boolean}
function everything.get_annotated_message(args) end
--- Returns all environment variables, helpful for debugging MCP server configuration [get-env]
function everything.get_env() end
--- Returns up to ten resource links that reference different types of resources [get-resource-links]
---@param args {count?: number}
function everything.get_resource_links(args) end
--- Returns a resource reference that can be used by MCP clients [get-resource-reference]
---@param args {resourceType?: "Text"|"Blob", resourceId?: number}
function everything.get_resource_reference(args) end
--- Returns structured content along with an output schema for client data validation [get-structured-content]
---@param args {location: "New York"|"Chicago"|"Los Angeles"}
---@return {temperature: number, conditions: string, humidity: number}
function everything.get_structured_content(args) end
--- Returns the sum of two numbers [get-sum]
---@param args {a: number, b: number}
function everything.get_sum(args) end
--- Returns a tiny MCP logo image. [get-tiny-image]
function everything.get_tiny_image() end
--- Compresses a single file using gzip compression. [gzip-file-as-resource]
---@param args {name?: string, data?: string, outputType?: "resourceLink"|"resource"}
function everything.gzip_file_as_resource(args) end
--- Toggles simulated, random-leveled logging on or off. [toggle-simulated-logging]
function everything.toggle_simulated_logging() end
--- Toggles simulated resource subscription updates on or off. [toggle-subscriber-updates]
function everything.toggle_subscriber_updates() end
--- Demonstrates a long running operation with progress updates. [trigger-long-running-operation]
---@param args {duration?: number, steps?: number}
function everything.trigger_long_running_operation(args) end
--- Simulates a deep research operation that gathers, analyzes, and synthesizes information. [simulate-research-query]
---@param args {topic: string, ambiguous?: boolean}
function everything.simulate_research_query(args) end

-- Example
function Run(params)
  local first = everything.echo({message = "example"})
  local second = everything.get_annotated_message({messageType = "error"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
