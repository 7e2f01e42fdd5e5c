// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = notion.api_get_users();
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([notion.api_get_users(), notion.api_get_self()]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server notion-mcp-server */
declare namespace notion {
  type BlockObjectRequest = ParagraphBlockRequest | BulletedListItemBlockRequest;
  type ParagraphBlockRequest = {paragraph?: {rich_text: RichTextRequest[]}, type?: "paragraph"};
  type RichTextRequest = {text: {content: string, link?: object | null}, type?: "text"};
  type BulletedListItemBlockRequest = {bulleted_list_item?: {rich_text: RichTextRequest[]}, type?: "bulleted_list_item"};
  type ParentRequest = PageIdParentRequest | DataSourceIdParentRequest | {type: "workspace", [key: string]: any};
  type PageIdParentRequest = {page_id: string, [key: string]: any};
  type DataSourceIdParentRequest = {type?: "database_id", database_id: string, [key: string]: any};
  type SortObject = {property: string, direction: "ascending" | "descending", [key: string]: any};
  type MovePageParentRequest = {type: "page_id", page_id: string, [key: string]: any} | {type: "database_id", database_id: string, [key: string]: any} | {type: "workspace", [key: string]: any};
  /** Notion | Retrieve a user [API-get-user] */
  function api_get_user(args: {user_id: string}): any;
  /** Notion | List all users [API-get-users] */
  function api_get_users(args?: {start_cursor?: string, page_size?: number}): any;
  /** Notion | Retrieve your token's bot user [API-get-self] */
  function api_get_self(): any;
  /** Notion | Search by title [API-post-search] */
  function api_post_search(args?: {query?: string, sort?: {direction?: string, timestamp?: string, [key: string]: any} | string, filter?: {value?: "page" | "data_source", property?: string, [key: string]: any} | string, start_cursor?: string, page_size?: number}): any;
  /** Notion | Retrieve block children [API-get-block-children] */
  function api_get_block_children(args: {block_id: string, start_cursor?: string, page_size?: number}): any;
  /** Notion | Append block children [API-patch-block-children] */
  function api_patch_block_children(args: {block_id: string, children: (BlockObjectRequest | string | object)[], after?: string}): any;
  /** Notion | Retrieve a block [API-retrieve-a-block] */
  function api_retrieve_a_block(args: {block_id: string}): any;
  /** Notion | Update a block [API-update-a-block] */
  function api_update_a_block(args: {block_id: string, type?: object | string, archived?: boolean}): any;
  /** Notion | Delete a block [API-delete-a-block] */
  function api_delete_a_block(args: {block_id: string}): any;
  /** Notion | Retrieve a page [API-retrieve-a-page] */
  function api_retrieve_a_page(args: {page_id: string, filter_properties?: string}): any;
  /** Notion | Update page properties [API-patch-page] */
  function api_patch_page(args: {page_id: string, properties?: object | string, in_trash?: boolean, archived?: boolean, icon?: {emoji: string} | string, cover?: {external: {url: string}, type?: "external"} | string}): any;
  /** Notion | Create a page [API-post-page] */
  function api_post_page(args: {parent: ParentRequest | string, properties: object | string, children?: (string | object)[], icon?: string, cover?: string}): any;
  /** Notion | Retrieve a page property item [API-retrieve-a-page-property] */
  function api_retrieve_a_page_property(args: {page_id: string, property_id: string, page_size?: number, start_cursor?: string}): any;
  /** Notion | Retrieve comments [API-retrieve-a-comment] */
  function api_retrieve_a_comment(args: {block_id: string, start_cursor?: string, page_size?: number}): any;
  /** Notion | Create comment [API-create-a-comment] */
  function api_create_a_comment(args: {parent: {page_id: string, [key: string]: any} | string, rich_text: ({text: {content: string, [key: string]: any}, [key: string]: any} | string | object)[]}): any;
  /** Notion | Query a data source [API-query-data-source] */
  function api_query_data_source(args: {data_source_id: string, filter_properties?: (string | object)[], filter?: object | string, sorts?: (SortObject | string | object)[], start_cursor?: string, page_size?: number, archived?: boolean, in_trash?: boolean}): any;
  /** Notion | Retrieve a data source [API-retrieve-a-data-source] */
  function api_retrieve_a_data_source(args: {data_source_id: string}): any;
  /** Notion | Update a data source [API-update-a-data-source] */
  function api_update_a_data_source(args: {data_source_id: string, title?: (RichTextRequest | string | object)[], description?: (RichTextRequest | string | object)[], properties?: object | string}): any;
  /** Notion | Create a data source [API-create-a-data-source] */
  function api_create_a_data_source(args: {parent: PageIdParentRequest | string, properties: object | string, title?: (RichTextRequest | string | object)[]}): any;
  /** Notion | List templates in a data source [API-list-data-source-templates] */
  function api_list_data_source_templates(args: {data_source_id: string, start_cursor?: string, page_size?: number}): any;
  /** Notion | Retrieve a database [API-retrieve-a-database] */
  function api_retrieve_a_database(args: {database_id: string}): any;
  /** Notion | Move a page [API-move-page] */
  function api_move_page(args: {page_id: string, parent: MovePageParentRequest | string}): any;
  /** Notion | Retrieve a page as Markdown [API-retrieve-page-markdown] */
  function api_retrieve_page_markdown(args: {page_id: string, include_transcript?: boolean}): any;
  /** Notion | Update a page's content as Markdown [API-update-page-markdown] */
  function api_update_page_markdown(args: {page_id: string, type: "replace_content" | "update_content" | "insert_content" | "replace_content_range", replace_content?: {new_str: string, allow_deleting_content?: boolean, [key: string]: any} | string, update_content?: {content_updates: {old_str: string, new_str: string, replace_all_matches?: boolean, [key: string]: any}[], allow_deleting_content?: boolean, [key: string]: any} | string, insert_content?: {content: string, after?: string, position?: {type?: "start" | "end", [key: string]: any}, [key: string]: any} | string, replace_content_range?: {content: string, content_range: string, allow_deleting_content?: boolean, [key: string]: any} | string}): any;
}

// Example
function Run(params: any) {
  const first = notion.api_get_users();
  const second = notion.api_get_self();
  console.log("2 calls answered");
  return { first, second };
}
