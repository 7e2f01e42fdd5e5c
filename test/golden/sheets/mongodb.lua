-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = mongodb.search_knowledge({query = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return mongodb.search_knowledge({query = "example"}) end, function() return mongodb.list_connections() end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- mongodb: server mongodb-mcp-server
--- Run an aggregation against a MongoDB database [aggregate-db]
---@param args {connectionId: string, database: string, pipeline: table[], responseBytesLimit?: number}
---@return {documents: any[], aggResultsCount?: number, appliedLimits: ("config.maxDocumentsPerQuery"|"config.maxBytesPerQuery"|"tool.responseBytesLimit")[]}
function mongodb.aggregate_db(args) end
--- Run an aggregation against a MongoDB collection
---@param args {connectionId: string, database: string, collection: string, pipeline: ({["$vectorSearch"]: table}|table)[], responseBytesLimit?: number}
---@return {documents: any[], count: number|"indeterminate", appliedLimits: ("config.maxDocumentsPerQuery"|"config.maxBytesPerQuery"|"tool.responseBytesLimit")[]}
function mongodb.aggregate(args) end
--- Describe the indexes for a collection [collection-indexes]
---@param args {connectionId: string, database: string, collection: string}
---@return {classicIndexes: {name: string, key: table}[], searchIndexes: {name: string, type: string, status: string, queryable: boolean, latestDefinition: table}[], classicIndexesCount: number, searchIndexesCount: number}
function mongodb.collection_indexes(args) end
--- Describe the schema for a collection [collection-schema]
---@param args {connectionId: string, database: string, collection: string, sampleSize?: number, responseBytesLimit?: number}
---@return {schema: table, fieldsCount: number}
function mongodb.collection_schema(args) end
--- Gets the size of the collection [collection-storage-size]
---@param args {connectionId: string, database: string, collection: string}
---@return {size: number, units: string}
function mongodb.collection_storage_size(args) end
--- Connect to a MongoDB instance and get back a connectionId to pass to the other MongoDB tools.
---@param args {connectionString: string, connectionName?: string}
---@return {connectionId: string}
function mongodb.connect(args) end
--- Gets the number of documents in a MongoDB collection using db.collection.count() and query as an optional filter parameter
---@param args {connectionId: string, database: string, collection: string, query?: table}
---@return {count: number}
function mongodb.count(args) end
--- Creates a new collection in a database. [create-collection]
---@param args {connectionId: string, database: string, collection: string}
---@return {database: string, collection: string, created: boolean}
function mongodb.create_collection(args) end
--- Create an index for a collection [create-index]
---@param args {connectionId: string, database: string, collection: string, name?: string, definition: ({type: "classic", keys: table}|{type: "vectorSearch", fields: any[]}|{type: "search", analyzer?: string, mappings: table, numPartitions?: "1"|"2"|"4"})[]}
---@return {database: string, collection: string, indexName: string, indexType: "classic"|"vectorSearch"|"search"}
function mongodb.create_index(args) end
--- Returns statistics that reflect the use state of a single database [db-stats]
---@param args {connectionId: string, database: string}
---@return {stats: table}
function mongodb.db_stats(args) end
--- Removes all documents that match the filter from a MongoDB collection [delete-many]
---@param args {connectionId: string, database: string, collection: string, filter?: table}
---@return {database: string, collection: string, deletedCount: number}
function mongodb.delete_many(args) end
--- Close a MongoDB connection and revoke its connectionId.
---@param args {connectionId: string}
---@return {outcome: "removed"|"disconnected"}
function mongodb.disconnect(args) end
--- Removes a collection or view from the database. [drop-collection]
---@param args {connectionId: string, database: string, collection: string}
---@return {database: string, collection: string, dropped: boolean}
function mongodb.drop_collection(args) end
--- Removes the specified database, deleting the associated data files [drop-database]
---@param args {connectionId: string, database: string}
---@return {database: string, dropped: boolean}
function mongodb.drop_database(args) end
--- Drop an index for the provided database and collection. [drop-index]
---@param args {connectionId: string, database: string, collection: string, indexName: string, type: "classic"|"search"}
---@return {database: string, collection: string, indexName: string, dropped: boolean}
function mongodb.drop_index(args) end
--- Returns statistics describing the execution of the winning plan chosen by the query optimizer for the evaluated method
---@param args {connectionId: string, database: string, collection: string, method: ({name: "aggregate", arguments: table}|{name: "find", arguments: table}|{name: "count", arguments: table})[], verbosity?: "queryPlanner"|"queryPlannerExtended"|"executionStats"|"allPlansExecution"}
---@return {explainResult: table, method: "aggregate"|"find"|"count", verbosity: "queryPlanner"|"queryPlannerExtended"|"executionStats"|"allPlansExecution"}
function mongodb.explain(args) end
--- Export a query or aggregation results in the specified EJSON format. [export]
---@param args {connectionId: string, database: string, collection: string, exportTitle: string, exportTarget: ({name: "find", arguments: {filter?: table, projection?: table, limit?: number, sort?: table}}|{name: "aggregate", arguments: {pipeline: any[]}})[], jsonExportFormat?: "relaxed"|"canonical"}
function mongodb.export_(args) end
--- Run a find query against a MongoDB collection
---@param args {connectionId: string, database: string, collection: string, filter?: table, projection?: table, limit?: number, sort?: table<string, 1|-1|"asc"|"desc"|"ascending"|"descending"|{["$meta"]: string}>, responseBytesLimit?: number}
---@return {documents: any[], queryResultsCount?: number, appliedLimits: ("config.maxDocumentsPerQuery"|"config.maxBytesPerQuery"|"tool.responseBytesLimit")[]}
function mongodb.find(args) end
--- Insert an array of documents into a MongoDB collection. [insert-many]
---@param args {connectionId: string, database: string, collection: string, documents: table[]}
---@return {database: string, collection: string, insertedCount: number, insertedIds: any[]}
function mongodb.insert_many(args) end
--- List all collections for a given database [list-collections]
---@param args {connectionId: string, database: string}
---@return {collections: {name: string}[], totalCount: number}
function mongodb.list_collections(args) end
--- List the active MongoDB connections and their connectionIds. [list-connections]
---@return {connections: {connectionId: string, name: string, source: "explicit"|"preconfigured", state?: "connected"|"connecting"|"disconnected"|"errored", description: string, lastError?: string, createdAt: string, lastUsedAt: string}[]}
function mongodb.list_connections() end
--- List all databases for a MongoDB connection [list-databases]
---@param args {connectionId: string}
---@return {databases: {name: string, size: number}[], totalCount: number}
function mongodb.list_databases(args) end
--- Returns the most recent logged mongod events [mongodb-logs]
---@param args {connectionId: string, type?: "global"|"startupWarnings", limit?: integer}
---@return {logs: string[], totalLinesWritten: number, shownCount: number}
function mongodb.mongodb_logs(args) end
--- Renames a collection in a MongoDB database [rename-collection]
---@param args {connectionId: string, database: string, collection: string, newName: string, dropTarget?: boolean}
---@return {database: string, oldCollection: string, newCollection: string, renamed: boolean}
function mongodb.rename_collection(args) end
--- Updates all documents that match the specified filter for a collection. [update-many]
---@param args {connectionId: string, database: string, collection: string, filter?: table, update: table, upsert?: boolean}
---@return {database: string, collection: string, matchedCount: number, modifiedCount: number, upsertedCount: number, upsertedId?: string}
function mongodb.update_many(args) end
--- Search for information in the MongoDB Assistant knowledge base. [search-knowledge]
---@param args {query: string, limit?: number, dataSources?: {name: string, versionLabel?: string}[]}
function mongodb.search_knowledge(args) end
--- List available data sources in the MongoDB Assistant knowledge base. [list-knowledge-sources]
function mongodb.list_knowledge_sources() end

-- Example
function Run(params)
  local first = mongodb.search_knowledge({query = "example"})
  local second = mongodb.list_connections()
  console.log("2 calls answered")
  return {first = first, second = second}
end
