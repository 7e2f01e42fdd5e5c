// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = memory.search_nodes({ query: "example" });
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([memory.search_nodes({ query: "example" }), memory.read_graph()]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server server-memory */
declare namespace memory {
  /** Create multiple new entities in the knowledge graph */
  function create_entities(args: {entities: {name: string, entityType: string, observations: string[]}[]}): {entities: {name: string, entityType: string, observations: string[]}[]};
  /** Create multiple new relations between entities in the knowledge graph. */
  function create_relations(args: {relations: {from: string, to: string, relationType: string}[]}): {relations: {from: string, to: string, relationType: string}[]};
  /** Add new observations to existing entities in the knowledge graph */
  function add_observations(args: {observations: {entityName: string, contents: string[]}[]}): {results: {entityName: string, addedObservations: string[]}[]};
  /** Delete multiple entities and their associated relations from the knowledge graph */
  function delete_entities(args: {entityNames: string[]}): {success: boolean, message: string};
  /** Delete specific observations from entities in the knowledge graph */
  function delete_observations(args: {deletions: {entityName: string, observations: string[]}[]}): {success: boolean, message: string};
  /** Delete multiple relations from the knowledge graph */
  function delete_relations(args: {relations: {from: string, to: string, relationType: string}[]}): {success: boolean, message: string};
  /** Read the entire knowledge graph */
  function read_graph(): {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]};
  /** Search for nodes in the knowledge graph based on a query */
  function search_nodes(args: {query: string}): {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]};
  /** Open specific nodes in the knowledge graph by their names */
  function open_nodes(args: {names: string[]}): {entities: {name: string, entityType: string, observations: string[]}[], relations: {from: string, to: string, relationType: string}[]};
}

// Example
function Run(params: any) {
  const first = memory.search_nodes({ query: "example" });
  const second = memory.read_graph();
  console.log("2 calls answered");
  return { first, second };
}
