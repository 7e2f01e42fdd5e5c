/** A task as a user would put it, with the tools that do it (`best`) and those that would also help (`also`). */
export interface GradedQuery {
  query: string;
  best: string[];
  also?: string[];
}

/** Written before any weight was tuned; tools are named `catalogue/originalName`. */
export const FUNCTION_QUERIES: GradedQuery[] = [
  // Files on disk
  {
    query: 'read a text file',
    best: ['filesystem/read_text_file', 'filesystem/read_file'],
    also: ['filesystem/read_multiple_files', 'github/get_file_contents'],
  },
  {
    query: 'show me what is inside a folder',
    best: ['filesystem/list_directory', 'filesystem/list_directory_with_sizes'],
    also: ['filesystem/directory_tree'],
  },
  {
    query: 'save content to a file',
    best: ['filesystem/write_file'],
    also: ['filesystem/edit_file', 'github/create_or_update_file'],
  },
  { query: 'make a new directory', best: ['filesystem/create_directory'] },
  { query: 'rename a file', best: ['filesystem/move_file'] },
  { query: 'find files by glob pattern', best: ['filesystem/search_files'] },
  { query: 'when was this file last modified', best: ['filesystem/get_file_info'] },
  {
    query: 'read several files at once',
    best: ['filesystem/read_multiple_files'],
    also: ['filesystem/read_text_file'],
  },
  { query: 'load an image from disk as base64', best: ['filesystem/read_media_file'] },
  { query: 'which directories am I allowed to access', best: ['filesystem/list_allowed_directories'] },
  // GitHub
  { query: 'open a pull request', best: ['github/create_pull_request'], also: ['github/get_pull_request'] },
  { query: 'merge the PR', best: ['github/merge_pull_request'] },
  { query: 'comment on a github issue', best: ['github/add_issue_comment'] },
  { query: 'close an issue', best: ['github/update_issue'] },
  { query: 'report a bug on the repository', best: ['github/create_issue'] },
  { query: 'commit history of a branch', best: ['github/list_commits'] },
  { query: 'search source code on github', best: ['github/search_code'], also: ['github/search_repositories'] },
  { query: 'did the CI checks pass for this pull request', best: ['github/get_pull_request_status'] },
  { query: 'which files did a pull request change', best: ['github/get_pull_request_files'] },
  { query: 'fork a repo', best: ['github/fork_repository'] },
  { query: 'push a bunch of files in one commit', best: ['github/push_files'] },
  { query: 'find a github user', best: ['github/search_users'] },
  { query: 'list open issues', best: ['github/list_issues'], also: ['github/search_issues'] },
  {
    query: 'approve a pull request with a review',
    best: ['github/create_pull_request_review'],
    also: ['github/get_pull_request_reviews'],
  },
  { query: 'new branch from main', best: ['github/create_branch'] },
  // MongoDB
  { query: 'query documents in mongodb', best: ['mongodb/find'], also: ['mongodb/aggregate', 'mongodb/count'] },
  { query: 'how many documents are in the collection', best: ['mongodb/count'] },
  { query: 'delete documents matching a filter', best: ['mongodb/delete-many'] },
  { query: 'add records to a collection', best: ['mongodb/insert-many'] },
  { query: 'what databases exist', best: ['mongodb/list-databases'] },
  { query: 'run an aggregation pipeline', best: ['mongodb/aggregate', 'mongodb/aggregate-db'] },
  { query: 'why is my query slow, show execution plan', best: ['mongodb/explain'] },
  { query: 'remove an index', best: ['mongodb/drop-index'] },
  { query: 'what fields do the documents have, infer schema', best: ['mongodb/collection-schema'] },
  { query: 'how big is a collection on disk', best: ['mongodb/collection-storage-size'], also: ['mongodb/db-stats'] },
  { query: 'change the name of a collection', best: ['mongodb/rename-collection'] },
  { query: 'connect to the database with a connection string', best: ['mongodb/connect'] },
  {
    query: 'look up MongoDB documentation',
    best: ['mongodb/search-knowledge'],
    also: ['mongodb/list-knowledge-sources'],
  },
  // Notion
  { query: 'create a notion page', best: ['notion/API-post-page'] },
  { query: 'search notion pages by title', best: ['notion/API-post-search'] },
  { query: 'get the comments on a notion page', best: ['notion/API-retrieve-a-comment'] },
  { query: 'append blocks to a page', best: ['notion/API-patch-block-children'] },
  {
    query: 'list workspace users in notion',
    best: ['notion/API-get-users'],
    also: ['notion/API-get-user', 'notion/API-get-self'],
  },
  { query: 'get page as markdown', best: ['notion/API-retrieve-page-markdown'] },
  { query: 'move a page under another parent', best: ['notion/API-move-page'] },
  {
    query: 'query rows of a notion data source',
    best: ['notion/API-query-data-source'],
    also: ['notion/API-retrieve-a-data-source'],
  },
  // Browser
  { query: 'go to a web page', best: ['playwright/browser_navigate'] },
  { query: 'click a button', best: ['playwright/browser_click'] },
  { query: 'capture the screen', best: ['playwright/browser_take_screenshot', 'playwright/browser_snapshot'] },
  { query: 'fill in a form', best: ['playwright/browser_fill_form'] },
  { query: 'choose an item from a dropdown', best: ['playwright/browser_select_option'] },
  { query: 'wait until text shows up on the page', best: ['playwright/browser_wait_for'] },
  {
    query: 'run javascript in the page',
    best: ['playwright/browser_evaluate'],
    also: ['playwright/browser_run_code_unsafe'],
  },
  { query: 'switch to another tab', best: ['playwright/browser_tabs'] },
  {
    query: 'inspect HTTP requests the site made',
    best: ['playwright/browser_network_requests', 'playwright/browser_network_request'],
  },
  // Memory and everything
  { query: 'remember a new fact about a person', best: ['memory/add_observations'], also: ['memory/create_entities'] },
  { query: 'forget an entity', best: ['memory/delete_entities'], also: ['memory/delete_observations'] },
  { query: 'dump everything in the knowledge graph', best: ['memory/read_graph'] },
  { query: 'add two numbers', best: ['everything/get-sum'] },
  { query: 'print environment variables', best: ['everything/get-env'] },
];

/** Written at the same time and never looked at one by one while tuning. */
export const HELD_OUT_QUERIES: GradedQuery[] = [
  { query: 'replace a line in a text file', best: ['filesystem/edit_file'] },
  { query: 'recursive listing of a project as a tree', best: ['filesystem/directory_tree'] },
  {
    query: 'folder contents with file sizes',
    best: ['filesystem/list_directory_with_sizes'],
    also: ['filesystem/list_directory'],
  },
  { query: 'start a new repository', best: ['github/create_repository'] },
  { query: 'download a file from a github repo', best: ['github/get_file_contents'] },
  { query: 'all pull requests of a repo', best: ['github/list_pull_requests'] },
  {
    query: 'review comments left on a PR',
    best: ['github/get_pull_request_comments'],
    also: ['github/get_pull_request_reviews'],
  },
  { query: 'update a PR branch with the base', best: ['github/update_pull_request_branch'] },
  { query: 'edit documents that match a filter', best: ['mongodb/update-many'] },
  { query: 'erase a whole database', best: ['mongodb/drop-database'] },
  { query: 'show collections of a database', best: ['mongodb/list-collections'] },
  { query: 'export query results to json', best: ['mongodb/export'] },
  { query: 'recent server log events', best: ['mongodb/mongodb-logs'] },
  { query: 'delete a notion block', best: ['notion/API-delete-a-block'] },
  { query: 'leave a comment on a notion page', best: ['notion/API-create-a-comment'] },
  { query: 'press enter on the keyboard', best: ['playwright/browser_press_key'] },
  { query: 'upload a file to the site', best: ['playwright/browser_file_upload'], also: ['playwright/browser_drop'] },
  { query: 'javascript console errors', best: ['playwright/browser_console_messages'] },
  { query: 'link two entities together', best: ['memory/create_relations'] },
  { query: 'compress a file with gzip', best: ['everything/gzip-file-as-resource'] },
];
