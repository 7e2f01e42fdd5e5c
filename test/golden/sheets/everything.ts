// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = everything.echo({ message: "example" });
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([everything.echo({ message: "example" }), everything.get_annotated_message({ messageType: "error" })]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server server-everything */
declare namespace everything {
  /** Echoes back the input string */
  function echo(args: {message: string}): any;
  /** Demonstrates how annotations can be used to provide metadata about content. [get-annotated-message] */
  function get_annotated_message(args: {messageType: "error" | "success" | "debug", includeImage?: boolean}): any;
  /** Returns all environment variables, helpful for debugging MCP server configuration [get-env] */
  function get_env(): any;
  /** Returns up to ten resource links that reference different types of resources [get-resource-links] */
  function get_resource_links(args?: {count?: number}): any;
  /** Returns a resource reference that can be used by MCP clients [get-resource-reference] */
  function get_resource_reference(args?: {resourceType?: "Text" | "Blob", resourceId?: number}): any;
  /** Returns structured content along with an output schema for client data validation [get-structured-content] */
  function get_structured_content(args: {location: "New York" | "Chicago" | "Los Angeles"}): {temperature: number, conditions: string, humidity: number};
  /** Returns the sum of two numbers [get-sum] */
  function get_sum(args: {a: number, b: number}): any;
  /** Returns a tiny MCP logo image. [get-tiny-image] */
  function get_tiny_image(): any;
  /** Compresses a single file using gzip compression. [gzip-file-as-resource] */
  function gzip_file_as_resource(args?: {name?: string, data?: string, outputType?: "resourceLink" | "resource"}): any;
  /** Toggles simulated, random-leveled logging on or off. [toggle-simulated-logging] */
  function toggle_simulated_logging(): any;
  /** Toggles simulated resource subscription updates on or off. [toggle-subscriber-updates] */
  function toggle_subscriber_updates(): any;
  /** Demonstrates a long running operation with progress updates. [trigger-long-running-operation] */
  function trigger_long_running_operation(args?: {duration?: number, steps?: number}): any;
  /** Simulates a deep research operation that gathers, analyzes, and synthesizes information. [simulate-research-query] */
  function simulate_research_query(args: {topic: string, ambiguous?: boolean}): any;
}

// Example
function Run(params: any) {
  const first = everything.echo({ message: "example" });
  const second = everything.get_annotated_message({ messageType: "error" });
  console.log("2 calls answered");
  return { first, second };
}
