-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = filesystem.list_allowed_directories()
-- Up to 16 calls at once: local a, b = parallel(function() return filesystem.list_allowed_directories() end, function() return filesystem.read_text_file({path = "example.txt"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class filesystem server server-filesystem; called as filesystem.name({…})
---@field read_file fun(args: {path: string, tail?: number, head?: number}): {content: string} Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.
---@field read_text_file fun(args: {path: string, tail?: number, head?: number}): {content: string} Read the complete contents of a file from the file system as text.
---@field read_media_file fun(args: {path: string}): {content: ({type: "image"|"audio", data: string, mimeType: string}|{type: "resource", resource: {uri: string, mimeType?: string, blob: string}})[]} Read a file and return it as a base64-encoded content block with its MIME type.
---@field read_multiple_files fun(args: {paths: string[]}): {content: string} Read the contents of multiple files simultaneously.
---@field write_file fun(args: {path: string, content: string}): {content: string} Create a new file or completely overwrite an existing file with new content.
---@field edit_file fun(args: {path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean}): {content: string} Make line-based edits to a text file.
---@field create_directory fun(args: {path: string}): {content: string} Create a new directory or ensure a directory exists.
---@field list_directory fun(args: {path: string}): {content: string} Get a detailed listing of all files and directories in a specified path.
---@field list_directory_with_sizes fun(args: {path: string, sortBy?: "name"|"size"}): {content: string} Get a detailed listing of all files and directories in a specified path, including sizes.
---@field directory_tree fun(args: {path: string, excludePatterns?: string[]}): {content: string} Get a recursive tree view of files and directories as a JSON structure.
---@field move_file fun(args: {source: string, destination: string}): {content: string} Move or rename files and directories.
---@field search_files fun(args: {path: string, pattern: string, excludePatterns?: string[]}): {content: string} Recursively search for files and directories matching a pattern.
---@field get_file_info fun(args: {path: string}): {content: string} Retrieve detailed metadata about a file or directory.
---@field list_allowed_directories fun(): {content: string} Returns the list of directories that this server is allowed to access.

-- Example
function Run(params)
  local first = filesystem.list_allowed_directories()
  local second = filesystem.read_text_file({path = "example.txt"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
