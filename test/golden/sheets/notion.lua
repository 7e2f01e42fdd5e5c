-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = notion.api_get_users()
-- Up to 16 calls at once: local a, b = parallel(function() return notion.api_get_users() end, function() return notion.api_get_self() end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- notion: server notion-mcp-server
--- Notion | Retrieve a user [API-get-user]
---@param args {user_id: string}
function notion.api_get_user(args) end
--- Notion | List all users [API-get-users]
---@param args {start_cursor?: string, page_size?: integer}
function notion.api_get_users(args) end
--- Notion | Retrieve your token's bot user [API-get-self]
function notion.api_get_self() end
--- Notion | Search by title [API-post-search]
---@param args {query?: string, sort?: {direction?: string, timestamp?: string}|string, filter?: {value?: "page"|"data_source", property?: string}|string, start_cursor?: string, page_size?: integer}
function notion.api_post_search(args) end
--- Notion | Retrieve block children [API-get-block-children]
---@param args {block_id: string, start_cursor?: string, page_size?: integer}
function notion.api_get_block_children(args) end
--- Notion | Append block children [API-patch-block-children]
---@param args {block_id: string, children: ({paragraph?: {rich_text: ({text: {content: string, link?: table|nil}, type?: "text"})[]}, type?: "paragraph"}|{bulleted_list_item?: {rich_text: ({text: {content: string, link?: table|nil}, type?: "text"})[]}, type?: "bulleted_list_item"}|string|table)[], after?: string}
function notion.api_patch_block_children(args) end
--- Notion | Retrieve a block [API-retrieve-a-block]
---@param args {block_id: string}
function notion.api_retrieve_a_block(args) end
--- Notion | Update a block [API-update-a-block]
---@param args {block_id: string, type?: table|string, archived?: boolean}
function notion.api_update_a_block(args) end
--- Notion | Delete a block [API-delete-a-block]
---@param args {block_id: string}
function notion.api_delete_a_block(args) end
--- Notion | Retrieve a page [API-retrieve-a-page]
---@param args {page_id: string, filter_properties?: string}
function notion.api_retrieve_a_page(args) end
--- Notion | Update page properties [API-patch-page]
---@param args {page_id: string, properties?: table|string, in_trash?: boolean, archived?: boolean, icon?: {emoji: string}|string, cover?: {external: {url: string}, type?: "external"}|string}
function notion.api_patch_page(args) end
--- Notion | Create a page [API-post-page]
---@param args {parent: {page_id: string}|{type?: "database_id", database_id: string}|{type: "workspace"}|string, properties: table|string, children?: (string|table)[], icon?: string, cover?: string}
function notion.api_post_page(args) end
--- Notion | Retrieve a page property item [API-retrieve-a-page-property]
---@param args {page_id: string, property_id: string, page_size?: integer, start_cursor?: string}
function notion.api_retrieve_a_page_property(args) end
--- Notion | Retrieve comments [API-retrieve-a-comment]
---@param args {block_id: string, start_cursor?: string, page_size?: integer}
function notion.api_retrieve_a_comment(args) end
--- Notion | Create comment [API-create-a-comment]
---@param args {parent: {page_id: string}|string, rich_text: ({text: {content: string}}|string|table)[]}
function notion.api_create_a_comment(args) end
--- Notion | Query a data source [API-query-data-source]
---@param args {data_source_id: string, filter_properties?: (string|table)[], filter?: table|string, sorts?: ({property: string, direction: "ascending"|"descending"}|string|table)[], start_cursor?: string, page_size?: integer, archived?: boolean, in_trash?: boolean}
function notion.api_query_data_source(args) end
--- Notion | Retrieve a data source [API-retrieve-a-data-source]
---@param args {data_source_id: string}
function notion.api_retrieve_a_data_source(args) end
--- Notion | Update a data source [API-update-a-data-source]
---@param args {data_source_id: string, title?: ({text: {content: string, link?: table|nil}, type?: "text"}|string|table)[], description?: ({text: {content: string, link?: table|nil}, type?: "text"}|string|table)[], properties?: table|string}
function notion.api_update_a_data_source(args) end
--- Notion | Create a data source [API-create-a-data-source]
---@param args {parent: {page_id: string}|string, properties: table|string, title?: ({text: {content: string, link?: table|nil}, type?: "text"}|string|table)[]}
function notion.api_create_a_data_source(args) end
--- Notion | List templates in a data source [API-list-data-source-templates]
---@param args {data_source_id: string, start_cursor?: string, page_size?: integer}
function notion.api_list_data_source_templates(args) end
--- Notion | Retrieve a database [API-retrieve-a-database]
---@param args {database_id: string}
function notion.api_retrieve_a_database(args) end
--- Notion | Move a page [API-move-page]
---@param args {page_id: string, parent: {type: "page_id", page_id: string}|{type: "database_id", database_id: string}|{type: "workspace"}|string}
function notion.api_move_page(args) end
--- Notion | Retrieve a page as Markdown [API-retrieve-page-markdown]
---@param args {page_id: string, include_transcript?: boolean}
function notion.api_retrieve_page_markdown(args) end
--- Notion | Update a page's content as Markdown [API-update-page-markdown]
---@param args {page_id: string, type: "replace_content"|"update_content"|"insert_content"|"replace_content_range", replace_content?: table|string, update_content?: table|string, insert_content?: table|string, replace_content_range?: table|string}
function notion.api_update_page_markdown(args) end

-- Example
function Run(params)
  local first = notion.api_get_users()
  local second = notion.api_get_self()
  console.log("2 calls answered")
  return {first = first, second = second}
end
