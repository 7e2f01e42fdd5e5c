-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = notion.api_get_users()
-- Up to 16 calls at once: local a, b = parallel(function() return notion.api_get_users() end, function() return notion.api_get_self() end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class notion server notion-mcp-server; called as notion.name({…})
---@field api_get_user fun(args: {user_id: string}) Notion | Retrieve a user [API-get-user]
---@field api_get_users fun(args: {start_cursor?: string, page_size?: integer}) Notion | List all users [API-get-users]
---@field api_get_self fun() Notion | Retrieve your token's bot user [API-get-self]
---@field api_post_search fun(args: {query?: string, sort?: {direction?: string, timestamp?: string}|string, filter?: {value?: "page"|"data_source", property?: string}|string, start_cursor?: string, page_size?: integer}) Notion | Search by title [API-post-search]
---@field api_get_block_children fun(args: {block_id: string, start_cursor?: string, page_size?: integer}) Notion | Retrieve block children [API-get-block-children]
---@field api_patch_block_children fun(args: {block_id: string, children: ({paragraph?: {rich_text: ({text: {content: string, link?: table|nil}, type?: "text"})[]}, type?: "paragraph"}|{bulleted_list_item?: {rich_text: ({text: {content: string, link?: table|nil}, type?: "text"})[]}, type?: "bulleted_list_item"}|string|table)[], after?: string}) Notion | Append block children [API-patch-block-children]
---@field api_retrieve_a_block fun(args: {block_id: string}) Notion | Retrieve a block [API-retrieve-a-block]
---@field api_update_a_block fun(args: {block_id: string, type?: table|string, archived?: boolean}) Notion | Update a block [API-update-a-block]
---@field api_delete_a_block fun(args: {block_id: string}) Notion | Delete a block [API-delete-a-block]
---@field api_retrieve_a_page fun(args: {page_id: string, filter_properties?: string}) Notion | Retrieve a page [API-retrieve-a-page]
---@field api_patch_page fun(args: {page_id: string, properties?: table|string, in_trash?: boolean, archived?: boolean, icon?: {emoji: string}|string, cover?: {external: {url: string}, type?: "external"}|string}) Notion | Update page properties [API-patch-page]
---@field api_post_page fun(args: {parent: {page_id: string}|{type?: "database_id", database_id: string}|{type: "workspace"}|string, properties: table|string, children?: (string|table)[], icon?: string, cover?: string}) Notion | Create a page [API-post-page]
---@field api_retrieve_a_page_property fun(args: {page_id: string, property_id: string, page_size?: integer, start_cursor?: string}) Notion | Retrieve a page property item [API-retrieve-a-page-property]
---@field api_retrieve_a_comment fun(args: {block_id: string, start_cursor?: string, page_size?: integer}) Notion | Retrieve comments [API-retrieve-a-comment]
---@field api_create_a_comment fun(args: {parent: {page_id: string}|string, rich_text: ({text: {content: string}}|string|table)[]}) Notion | Create comment [API-create-a-comment]
---@field api_query_data_source fun(args: {data_source_id: string, filter_properties?: (string|table)[], filter?: table|string, sorts?: ({property: string, direction: "ascending"|"descending"}|string|table)[], start_cursor?: string, page_size?: integer, archived?: boolean, in_trash?: boolean}) Notion | Query a data source [API-query-data-source]
---@field api_retrieve_a_data_source fun(args: {data_source_id: string}) Notion | Retrieve a data source [API-retrieve-a-data-source]
---@field api_update_a_data_source fun(args: {data_source_id: string, title?: ({text: {content: string, link?: table|nil}, type?: "text"}|string|table)[], description?: ({text: {content: string, link?: table|nil}, type?: "text"}|string|table)[], properties?: table|string}) Notion | Update a data source [API-update-a-data-source]
---@field api_create_a_data_source fun(args: {parent: {page_id: string}|string, properties: table|string, title?: ({text: {content: string, link?: table|nil}, type?: "text"}|string|table)[]}) Notion | Create a data source [API-create-a-data-source]
---@field api_list_data_source_templates fun(args: {data_source_id: string, start_cursor?: string, page_size?: integer}) Notion | List templates in a data source [API-list-data-source-templates]
---@field api_retrieve_a_database fun(args: {database_id: string}) Notion | Retrieve a database [API-retrieve-a-database]
---@field api_move_page fun(args: {page_id: string, parent: {type: "page_id", page_id: string}|{type: "database_id", database_id: string}|{type: "workspace"}|string}) Notion | Move a page [API-move-page]
---@field api_retrieve_page_markdown fun(args: {page_id: string, include_transcript?: boolean}) Notion | Retrieve a page as Markdown [API-retrieve-page-markdown]
---@field api_update_page_markdown fun(args: {page_id: string, type: "replace_content"|"update_content"|"insert_content"|"replace_content_range", replace_content?: table|string, update_content?: table|string, insert_content?: table|string, replace_content_range?: table|string}) Notion | Update a page's content as Markdown [API-update-page-markdown]

-- Example
function Run(params)
  local first = notion.api_get_users()
  local second = notion.api_get_self()
  console.log("2 calls answered")
  return {first = first, second = second}
end
