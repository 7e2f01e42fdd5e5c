-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = mongodb.search_knowledge({query = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return mongodb.search_knowledge({query = "example"}) end, function() return mongodb.list_connections() end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class mongodb server mongodb-mcp-server; called as mongodb.name({…})
---@field aggregate_db fun(args: {connectionId: string, database: string, pipeline: table[], responseBytesLimit?: number}): {documents: any[], aggResultsCount?: number, appliedLimits: ("config.maxDocumentsPerQuery"|"config.maxBytesPerQuery"|"tool.responseBytesLimit")[]} Run an aggregation against a MongoDB database [aggregate-db]
---@field aggregate fun(args: {connectionId: string, database: string, collection: string, pipeline: ({["$vectorSearch"]: table}|table)[], responseBytesLimit?: number}): {documents: any[], count: number|"indeterminate", appliedLimits: ("config.maxDocumentsPerQuery"|"config.maxBytesPerQuery"|"tool.responseBytesLimit")[]} Run an aggregation against a MongoDB collection
---@field collection_indexes fun(args: {connectionId: string, database: string, collection: string}): {classicIndexes: {name: string, key: table}[], searchIndexes: {name: string, type: string, status: string, queryable: boolean, latestDefinition: table}[], classicIndexesCount: number, searchIndexesCount: number} Describe the indexes for a collection [collection-indexes]
---@field collection_schema fun(args: {connectionId: string, database: string, collection: string, sampleSize?: number, responseBytesLimit?: number}): {schema: table, fieldsCount: number} Describe the schema for a collection [collection-schema]
---@field collection_storage_size fun(args: {connectionId: string, database: string, collection: string}): {size: number, units: string} Gets the size of the collection [collection-storage-size]
---@field connect fun(args: {connectionString: string, connectionName?: string}): {connectionId: string} Connect to a MongoDB instance and get back a connectionId to pass to the other MongoDB tools.
---@field count fun(args: {connectionId: string, database: string, collection: string, query?: table}): {count: number} Gets the number of documents in a MongoDB collection using db.collection.count() and query as an optional filter parameter
---@field create_collection fun(args: {connectionId: string, database: string, collection: string}): {database: string, collection: string, created: boolean} Creates a new collection in a database. [create-collection]
---@field create_index fun(args: {connectionId: string, database: string, collection: string, name?: string, definition: ({type: "classic", keys: table}|{type: "vectorSearch", fields: any[]}|{type: "search", analyzer?: string, mappings: table, numPartitions?: "1"|"2"|"4"})[]}): {database: string, collection: string, indexName: string, indexType: "classic"|"vectorSearch"|"search"} Create an index for a collection [create-index]
---@field db_stats fun(args: {connectionId: string, database: string}): {stats: table} Returns statistics that reflect the use state of a single database [db-stats]
---@field delete_many fun(args: {connectionId: string, database: string, collection: string, filter?: table}): {database: string, collection: string, deletedCount: number} Removes all documents that match the filter from a MongoDB collection [delete-many]
---@field disconnect fun(args: {connectionId: string}): {outcome: "removed"|"disconnected"} Close a MongoDB connection and revoke its connectionId.
---@field drop_collection fun(args: {connectionId: string, database: string, collection: string}): {database: string, collection: string, dropped: boolean} Removes a collection or view from the database. [drop-collection]
---@field drop_database fun(args: {connectionId: string, database: string}): {database: string, dropped: boolean} Removes the specified database, deleting the associated data files [drop-database]
---@field drop_index fun(args: {connectionId: string, database: string, collection: string, indexName: string, type: "classic"|"search"}): {database: string, collection: string, indexName: string, dropped: boolean} Drop an index for the provided database and collection. [drop-index]
---@field explain fun(args: {connectionId: string, database: string, collection: string, method: ({name: "aggregate", arguments: table}|{name: "find", arguments: table}|{name: "count", arguments: table})[], verbosity?: "queryPlanner"|"queryPlannerExtended"|"executionStats"|"allPlansExecution"}): {explainResult: table, method: "aggregate"|"find"|"count", verbosity: "queryPlanner"|"queryPlannerExtended"|"executionStats"|"allPlansExecution"} Returns statistics describing the execution of the winning plan chosen by the query optimizer for the evaluated method
---@field export_ fun(args: {connectionId: string, database: string, collection: string, exportTitle: string, exportTarget: ({name: "find", arguments: {filter?: table, projection?: table, limit?: number, sort?: table}}|{name: "aggregate", arguments: {pipeline: any[]}})[], jsonExportFormat?: "relaxed"|"canonical"}) Export a query or aggregation results in the specified EJSON format. [export]
---@field find fun(args: {connectionId: string, database: string, collection: string, filter?: table, projection?: table, limit?: number, sort?: table<string, 1|-1|"asc"|"desc"|"ascending"|"descending"|{["$meta"]: string}>, responseBytesLimit?: number}): {documents: any[], queryResultsCount?: number, appliedLimits: ("config.maxDocumentsPerQuery"|"config.maxBytesPerQuery"|"tool.responseBytesLimit")[]} Run a find query against a MongoDB collection
---@field insert_many fun(args: {connectionId: string, database: string, collection: string, documents: table[]}): {database: string, collection: string, insertedCount: number, insertedIds: any[]} Insert an array of documents into a MongoDB collection. [insert-many]
---@field list_collections fun(args: {connectionId: string, database: string}): {collections: {name: string}[], totalCount: number} List all collections for a given database [list-collections]
---@field list_connections fun(): {connections: {connectionId: string, name: string, source: "explicit"|"preconfigured", state?: "connected"|"connecting"|"disconnected"|"errored", description: string, lastError?: string, createdAt: string, lastUsedAt: string}[]} List the active MongoDB connections and their connectionIds. [list-connections]
---@field list_databases fun(args: {connectionId: string}): {databases: {name: string, size: number}[], totalCount: number} List all databases for a MongoDB connection [list-databases]
---@field mongodb_logs fun(args: {connectionId: string, type?: "global"|"startupWarnings", limit?: integer}): {logs: string[], totalLinesWritten: number, shownCount: number} Returns the most recent logged mongod events [mongodb-logs]
---@field rename_collection fun(args: {connectionId: string, database: string, collection: string, newName: string, dropTarget?: boolean}): {database: string, oldCollection: string, newCollection: string, renamed: boolean} Renames a collection in a MongoDB database [rename-collection]
---@field update_many fun(args: {connectionId: string, database: string, collection: string, filter?: table, update: table, upsert?: boolean}): {database: string, collection: string, matchedCount: number, modifiedCount: number, upsertedCount: number, upsertedId?: string} Updates all documents that match the specified filter for a collection. [update-many]
---@field search_knowledge fun(args: {query: string, limit?: number, dataSources?: {name: string, versionLabel?: string}[]}) Search for information in the MongoDB Assistant knowledge base. [search-knowledge]
---@field list_knowledge_sources fun() List available data sources in the MongoDB Assistant knowledge base. [list-knowledge-sources]

-- Example
function Run(params)
  local first = mongodb.search_knowledge({query = "example"})
  local second = mongodb.list_connections()
  console.log("2 calls answered")
  return {first = first, second = second}
end
