// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = mongodb.search_knowledge({ query: "example" });
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([mongodb.search_knowledge({ query: "example" }), mongodb.list_connections()]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server mongodb-mcp-server */
declare namespace mongodb {
  /** Run an aggregation against a MongoDB database [aggregate-db] */
  function aggregate_db(args: {connectionId: string, database: string, pipeline: object[], responseBytesLimit?: number}): {documents: any[], aggResultsCount?: number, appliedLimits: ("config.maxDocumentsPerQuery" | "config.maxBytesPerQuery" | "tool.responseBytesLimit")[]};
  /** Run an aggregation against a MongoDB collection */
  function aggregate(args: {connectionId: string, database: string, collection: string, pipeline: ({$vectorSearch: {exact?: boolean, index: string, path: string, numCandidates?: number, limit?: number, filter?: object, queryVector: number[]} | {exact?: boolean, index: string, path: string, numCandidates?: number, limit?: number, filter?: object, query: {text: string}, model?: "voyage-4" | "voyage-4-large" | "voyage-4-lite" | "voyage-code-3"}} | object)[], responseBytesLimit?: number}): {documents: any[], count: number | "indeterminate", appliedLimits: ("config.maxDocumentsPerQuery" | "config.maxBytesPerQuery" | "tool.responseBytesLimit")[]};
  /** Describe the indexes for a collection [collection-indexes] */
  function collection_indexes(args: {connectionId: string, database: string, collection: string}): {classicIndexes: {name: string, key: object}[], searchIndexes: {name: string, type: string, status: string, queryable: boolean, latestDefinition: object}[], classicIndexesCount: number, searchIndexesCount: number};
  /** Describe the schema for a collection [collection-schema] */
  function collection_schema(args: {connectionId: string, database: string, collection: string, sampleSize?: number, responseBytesLimit?: number}): {schema: object, fieldsCount: number};
  /** Gets the size of the collection [collection-storage-size] */
  function collection_storage_size(args: {connectionId: string, database: string, collection: string}): {size: number, units: string};
  /** Connect to a MongoDB instance and get back a connectionId to pass to the other MongoDB tools. */
  function connect(args: {connectionString: string, connectionName?: string}): {connectionId: string};
  /** Gets the number of documents in a MongoDB collection using db.collection.count() and query as an optional filter parameter */
  function count(args: {connectionId: string, database: string, collection: string, query?: object}): {count: number};
  /** Creates a new collection in a database. [create-collection] */
  function create_collection(args: {connectionId: string, database: string, collection: string}): {database: string, collection: string, created: boolean};
  /** Create an index for a collection [create-index] */
  function create_index(args: {connectionId: string, database: string, collection: string, name?: string, definition: ({type: "classic", keys: {[key: string]: 1 | -1 | "2d" | "2dsphere" | "text" | "geoHaystack" | "hashed"}} | {type: "vectorSearch", fields: ({type: "filter", path: string} | {type: "vector", path: string, numDimensions?: number, similarity?: "cosine" | "euclidean" | "dotProduct", quantization?: "none" | "scalar" | "binary"} | {type: "autoEmbed", path: string, model: "voyage-4" | "voyage-4-large" | "voyage-4-lite" | "voyage-code-3", modality: "text"})[]} | {type: "search", analyzer?: string, mappings: {dynamic?: boolean | {typeSet: string}, fields?: object, [key: string]: any}, numPartitions?: "1" | "2" | "4", [key: string]: any})[]}): {database: string, collection: string, indexName: string, indexType: "classic" | "vectorSearch" | "search"};
  /** Returns statistics that reflect the use state of a single database [db-stats] */
  function db_stats(args: {connectionId: string, database: string}): {stats: object};
  /** Removes all documents that match the filter from a MongoDB collection [delete-many] */
  function delete_many(args: {connectionId: string, database: string, collection: string, filter?: object}): {database: string, collection: string, deletedCount: number};
  /** Close a MongoDB connection and revoke its connectionId. */
  function disconnect(args: {connectionId: string}): {outcome: "removed" | "disconnected"};
  /** Removes a collection or view from the database. [drop-collection] */
  function drop_collection(args: {connectionId: string, database: string, collection: string}): {database: string, collection: string, dropped: boolean};
  /** Removes the specified database, deleting the associated data files [drop-database] */
  function drop_database(args: {connectionId: string, database: string}): {database: string, dropped: boolean};
  /** Drop an index for the provided database and collection. [drop-index] */
  function drop_index(args: {connectionId: string, database: string, collection: string, indexName: string, type: "classic" | "search"}): {database: string, collection: string, indexName: string, dropped: boolean};
  /** Returns statistics describing the execution of the winning plan chosen by the query optimizer for the evaluated method */
  function explain(args: {connectionId: string, database: string, collection: string, method: ({name: "aggregate", arguments: {pipeline: ({$vectorSearch: {exact?: boolean, index: string, path: string, numCandidates?: number, limit?: number, filter?: object, queryVector: number[]} | {exact?: boolean, index: string, path: string, numCandidates?: number, limit?: number, filter?: object, query: {text: string}, model?: "voyage-4" | "voyage-4-large" | "voyage-4-lite" | "voyage-code-3"}} | object)[]}} | {name: "find", arguments: {filter?: object, projection?: object, limit?: number, sort?: {[key: string]: 1 | -1 | "asc" | "desc" | "ascending" | "descending" | {$meta: string}}}} | {name: "count", arguments: {query?: object}})[], verbosity?: "queryPlanner" | "queryPlannerExtended" | "executionStats" | "allPlansExecution"}): {explainResult: object, method: "aggregate" | "find" | "count", verbosity: "queryPlanner" | "queryPlannerExtended" | "executionStats" | "allPlansExecution"};
  /** Export a query or aggregation results in the specified EJSON format. [export] */
  function export_(args: {connectionId: string, database: string, collection: string, exportTitle: string, exportTarget: ({name: "find", arguments: {filter?: object, projection?: object, limit?: number, sort?: {[key: string]: 1 | -1 | "asc" | "desc" | "ascending" | "descending" | {$meta: string}}}} | {name: "aggregate", arguments: {pipeline: ({$vectorSearch: {exact?: boolean, index: string, path: string, numCandidates?: number, limit?: number, filter?: object, queryVector: number[]} | {exact?: boolean, index: string, path: string, numCandidates?: number, limit?: number, filter?: object, query: {text: string}, model?: "voyage-4" | "voyage-4-large" | "voyage-4-lite" | "voyage-code-3"}} | object)[]}})[], jsonExportFormat?: "relaxed" | "canonical"}): any;
  /** Run a find query against a MongoDB collection */
  function find(args: {connectionId: string, database: string, collection: string, filter?: object, projection?: object, limit?: number, sort?: {[key: string]: 1 | -1 | "asc" | "desc" | "ascending" | "descending" | {$meta: string}}, responseBytesLimit?: number}): {documents: any[], queryResultsCount?: number, appliedLimits: ("config.maxDocumentsPerQuery" | "config.maxBytesPerQuery" | "tool.responseBytesLimit")[]};
  /** Insert an array of documents into a MongoDB collection. [insert-many] */
  function insert_many(args: {connectionId: string, database: string, collection: string, documents: object[]}): {database: string, collection: string, insertedCount: number, insertedIds: any[]};
  /** List all collections for a given database [list-collections] */
  function list_collections(args: {connectionId: string, database: string}): {collections: {name: string}[], totalCount: number};
  /** List the active MongoDB connections and their connectionIds. [list-connections] */
  function list_connections(): {connections: {connectionId: string, name: string, source: "explicit" | "preconfigured", state?: "connected" | "connecting" | "disconnected" | "errored", description: string, lastError?: string, createdAt: string, lastUsedAt: string}[]};
  /** List all databases for a MongoDB connection [list-databases] */
  function list_databases(args: {connectionId: string}): {databases: {name: string, size: number}[], totalCount: number};
  /** Returns the most recent logged mongod events [mongodb-logs] */
  function mongodb_logs(args: {connectionId: string, type?: "global" | "startupWarnings", limit?: number}): {logs: string[], totalLinesWritten: number, shownCount: number};
  /** Renames a collection in a MongoDB database [rename-collection] */
  function rename_collection(args: {connectionId: string, database: string, collection: string, newName: string, dropTarget?: boolean}): {database: string, oldCollection: string, newCollection: string, renamed: boolean};
  /** Updates all documents that match the specified filter for a collection. [update-many] */
  function update_many(args: {connectionId: string, database: string, collection: string, filter?: object, update: object, upsert?: boolean}): {database: string, collection: string, matchedCount: number, modifiedCount: number, upsertedCount: number, upsertedId?: string};
  /** Search for information in the MongoDB Assistant knowledge base. [search-knowledge] */
  function search_knowledge(args: {query: string, limit?: number, dataSources?: {name: string, versionLabel?: string}[]}): any;
  /** List available data sources in the MongoDB Assistant knowledge base. [list-knowledge-sources] */
  function list_knowledge_sources(): any;
}

// Example
function Run(params: any) {
  const first = mongodb.search_knowledge({ query: "example" });
  const second = mongodb.list_connections();
  console.log("2 calls answered");
  return { first, second };
}
