-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = filesystem.list_allowed_directories()
-- Up to 16 calls at once: local a, b = parallel(function() return filesystem.list_allowed_directories() end, function() return filesystem.read_text_file({path = "example.txt"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class filesystem server server-filesystem; called as filesystem.name({…})
--- args.tail: If provided, returns only the last N lines of the file
--- args.head: If provided, returns only the first N lines of the file
---@field read_file fun(args: {path: string, tail?: number, head?: number}): {content: string} Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.
--- args.tail: If provided, returns only the last N lines of the file
--- args.head: If provided, returns only the first N lines of the file
---@field read_text_file fun(args: {path: string, tail?: number, head?: number}): {content: string} Read the complete contents of a file from the file system as text. Handles various text encodings and provides detailed error messages if the file cannot be read. Use this tool when you need to examine the contents of a single file. Use the 'head' parameter to read only the first N lines of a file, or the 'tail' parameter to read only the last N lines of a file. Operates on the file as text regardless of extension. Only works within allowed directories.
---@field read_media_file fun(args: {path: string}): {content: ({type: "image"|"audio", data: string, mimeType: string}|{type: "resource", resource: {uri: string, mimeType?: string, blob: string}})[]} Read a file and return it as a base64-encoded content block with its MIME type. Image and audio files are returned as image/audio content; any other file type is returned as an embedded resource. Only works within allowed directories.
--- args.paths: Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories.
---@field read_multiple_files fun(args: {paths: string[]}): {content: string} Read the contents of multiple files simultaneously. This is more efficient than reading files one by one when you need to analyze or compare multiple files. Each file's content is returned with its path as a reference. Failed reads for individual files won't stop the entire operation. Only works within allowed directories.
---@field write_file fun(args: {path: string, content: string}): {content: string} Create a new file or completely overwrite an existing file with new content. Use with caution as it will overwrite existing files without warning. Handles text content with proper encoding. Only works within allowed directories.
--- args.edits[].oldText: Text to search for - must match exactly
--- args.edits[].newText: Text to replace with
--- args.dryRun: Preview changes using git-style diff format (default false)
---@field edit_file fun(args: {path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean}): {content: string} Make line-based edits to a text file. Each edit replaces exact line sequences with new content. Returns a git-style diff showing the changes made. Only works within allowed directories.
---@field create_directory fun(args: {path: string}): {content: string} Create a new directory or ensure a directory exists. Can create multiple nested directories in one operation. If the directory already exists, this operation will succeed silently. Perfect for setting up directory structures for projects or ensuring required paths exist. Only works within allowed directories.
---@field list_directory fun(args: {path: string}): {content: string} Get a detailed listing of all files and directories in a specified path. Results clearly distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is essential for understanding directory structure and finding specific files within a directory. Only works within allowed directories.
--- args.sortBy: Sort entries by name or size (default "name")
---@field list_directory_with_sizes fun(args: {path: string, sortBy?: "name"|"size"}): {content: string} Get a detailed listing of all files and directories in a specified path, including sizes. Results clearly distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is useful for understanding directory structure and finding specific files within a directory. Only works within allowed directories.
--- args.excludePatterns: (default [])
---@field directory_tree fun(args: {path: string, excludePatterns?: string[]}): {content: string} Get a recursive tree view of files and directories as a JSON structure. Each entry includes 'name', 'type' (file/directory), and 'children' for directories. Files have no children array, while directories always have a children array (which may be empty). The output is formatted with 2-space indentation for readability. Only works within allowed directories.
---@field move_file fun(args: {source: string, destination: string}): {content: string} Move or rename files and directories. Can move files between directories and rename them in a single operation. If the destination exists, the operation will fail. Works across different directories and can be used for simple renaming within the same directory. Both source and destination must be within allowed directories.
--- args.excludePatterns: (default [])
---@field search_files fun(args: {path: string, pattern: string, excludePatterns?: string[]}): {content: string} Recursively search for files and directories matching a pattern. The patterns should be glob-style patterns that match paths relative to the working directory. Use pattern like '*.ext' to match files in current directory, and '** / *.ext' to match files in all subdirectories. Returns full paths to all matching items. Great for finding files when you don't know their exact location. Only searches within allowed directories.
---@field get_file_info fun(args: {path: string}): {content: string} Retrieve detailed metadata about a file or directory. Returns comprehensive information including size, creation time, last modified time, permissions, and type. This tool is perfect for understanding file characteristics without reading the actual content. Only works within allowed directories.
---@field list_allowed_directories fun(): {content: string} Returns the list of directories that this server is allowed to access. Subdirectories within these allowed directories are also accessible. Use this to understand which directories and their nested paths are available before trying to access files.

-- Example
function Run(params)
  local first = filesystem.list_allowed_directories()
  local second = filesystem.read_text_file({path = "example.txt"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
