// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = filesystem.list_allowed_directories();
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([filesystem.list_allowed_directories(), filesystem.read_text_file({ path: "example.txt" })]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server server-filesystem */
declare namespace filesystem {
  /** Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead. */
  function read_file(args: {path: string, tail?: number, head?: number}): {content: string};
  /** Read the complete contents of a file from the file system as text. */
  function read_text_file(args: {path: string, tail?: number, head?: number}): {content: string};
  /** Read a file and return it as a base64-encoded content block with its MIME type. */
  function read_media_file(args: {path: string}): {content: ({type: "image" | "audio", data: string, mimeType: string} | {type: "resource", resource: {uri: string, mimeType?: string, blob: string}})[]};
  /** Read the contents of multiple files simultaneously. */
  function read_multiple_files(args: {paths: string[]}): {content: string};
  /** Create a new file or completely overwrite an existing file with new content. */
  function write_file(args: {path: string, content: string}): {content: string};
  /** Make line-based edits to a text file. */
  function edit_file(args: {path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean}): {content: string};
  /** Create a new directory or ensure a directory exists. */
  function create_directory(args: {path: string}): {content: string};
  /** Get a detailed listing of all files and directories in a specified path. */
  function list_directory(args: {path: string}): {content: string};
  /** Get a detailed listing of all files and directories in a specified path, including sizes. */
  function list_directory_with_sizes(args: {path: string, sortBy?: "name" | "size"}): {content: string};
  /** Get a recursive tree view of files and directories as a JSON structure. */
  function directory_tree(args: {path: string, excludePatterns?: string[]}): {content: string};
  /** Move or rename files and directories. */
  function move_file(args: {source: string, destination: string}): {content: string};
  /** Recursively search for files and directories matching a pattern. */
  function search_files(args: {path: string, pattern: string, excludePatterns?: string[]}): {content: string};
  /** Retrieve detailed metadata about a file or directory. */
  function get_file_info(args: {path: string}): {content: string};
  /** Returns the list of directories that this server is allowed to access. */
  function list_allowed_directories(): {content: string};
}

// Example
function Run(params: any) {
  const first = filesystem.list_allowed_directories();
  const second = filesystem.read_text_file({ path: "example.txt" });
  console.log("2 calls answered");
  return { first, second };
}
