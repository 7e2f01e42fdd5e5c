-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = filesystem.list_allowed_directories()
-- Up to 16 calls at once: local a, b = parallel(function() return filesystem.list_allowed_directories() end, function() return filesystem.read_text_file({path = "example.txt"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- filesystem: server server-filesystem
--- Read the complete contents of a file as text.
---@param args {path: string, tail?: number, head?: number}
---@return {content: string}
function filesystem.read_file(args) end
--- Read the complete contents of a file from the file system as text.
---@param args {path: string, tail?: number, head?: number}
---@return {content: string}
function filesystem.read_text_file(args) end
--- Read a file and return it as a base64-encoded content block with its MIME type.
---@param args {path: string}
---@return {content: ({type: "image"|"audio", data: string, mimeType: string}|{type: "resource", resource: {uri: string, mimeType?: string, blob: string}})[]}
function filesystem.read_media_file(args) end
--- Read the contents of multiple files simultaneously.
---@param args {paths: string[]}
---@return {content: string}
function filesystem.read_multiple_files(args) end
--- Create a new file or completely overwrite an existing file with new content.
---@param args {path: string, content: string}
---@return {content: string}
function filesystem.write_file(args) end
--- Make line-based edits to a text file.
---@param args {path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean}
---@return {content: string}
function filesystem.edit_file(args) end
--- Create a new directory or ensure a directory exists.
---@param args {path: string}
---@return {content: string}
function filesystem.create_directory(args) end
--- Get a detailed listing of all files and directories in a specified path.
---@param args {path: string}
---@return {content: string}
function filesystem.list_directory(args) end
--- Get a detailed listing of all files and directories in a specified path, including sizes.
---@param args {path: string, sortBy?: "name"|"size"}
---@return {content: string}
function filesystem.list_directory_with_sizes(args) end
--- Get a recursive tree view of files and directories as a JSON structure.
---@param args {path: string, excludePatterns?: string[]}
---@return {content: string}
function filesystem.directory_tree(args) end
--- Move or rename files and directories.
---@param args {source: string, destination: string}
---@return {content: string}
function filesystem.move_file(args) end
--- Recursively search for files and directories matching a pattern.
---@param args {path: string, pattern: string, excludePatterns?: string[]}
---@return {content: string}
function filesystem.search_files(args) end
--- Retrieve detailed metadata about a file or directory.
---@param args {path: string}
---@return {content: string}
function filesystem.get_file_info(args) end
--- Returns the list of directories that this server is allowed to access.
---@return {content: string}
function filesystem.list_allowed_directories() end

-- Example
function Run(params)
  local first = filesystem.list_allowed_directories()
  local second = filesystem.read_text_file({path = "example.txt"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
