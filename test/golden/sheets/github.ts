// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = github.search_repositories({ query: "example" });
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([github.search_repositories({ query: "example" }), github.list_commits({ owner: "example", repo: "example" })]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server server-github */
declare namespace github {
  /** Create or update a single file in a GitHub repository */
  function create_or_update_file(args: {owner: string, repo: string, path: string, content: string, message: string, branch: string, sha?: string}): any;
  /** Search for GitHub repositories */
  function search_repositories(args: {query: string, page?: number, perPage?: number}): any;
  /** Create a new GitHub repository in your account */
  function create_repository(args: {name: string, description?: string, private?: boolean, autoInit?: boolean}): any;
  /** Get the contents of a file or directory from a GitHub repository */
  function get_file_contents(args: {owner: string, repo: string, path: string, branch?: string}): any;
  /** Push multiple files to a GitHub repository in a single commit */
  function push_files(args: {owner: string, repo: string, branch: string, files: {path: string, content: string}[], message: string}): any;
  /** Create a new issue in a GitHub repository */
  function create_issue(args: {owner: string, repo: string, title: string, body?: string, assignees?: string[], milestone?: number, labels?: string[]}): any;
  /** Create a new pull request in a GitHub repository */
  function create_pull_request(args: {owner: string, repo: string, title: string, body?: string, head: string, base: string, draft?: boolean, maintainer_can_modify?: boolean}): any;
  /** Fork a GitHub repository to your account or specified organization */
  function fork_repository(args: {owner: string, repo: string, organization?: string}): any;
  /** Create a new branch in a GitHub repository */
  function create_branch(args: {owner: string, repo: string, branch: string, from_branch?: string}): any;
  /** Get list of commits of a branch in a GitHub repository */
  function list_commits(args: {owner: string, repo: string, sha?: string, page?: number, perPage?: number}): any;
  /** List issues in a GitHub repository with filtering options */
  function list_issues(args: {owner: string, repo: string, direction?: "asc" | "desc", labels?: string[], page?: number, per_page?: number, since?: string, sort?: "created" | "updated" | "comments", state?: "open" | "closed" | "all"}): any;
  /** Update an existing issue in a GitHub repository */
  function update_issue(args: {owner: string, repo: string, issue_number: number, title?: string, body?: string, assignees?: string[], milestone?: number, labels?: string[], state?: "open" | "closed"}): any;
  /** Add a comment to an existing issue */
  function add_issue_comment(args: {owner: string, repo: string, issue_number: number, body: string}): any;
  /** Search for code across GitHub repositories */
  function search_code(args: {q: string, order?: "asc" | "desc", page?: number, per_page?: number}): any;
  /** Search for issues and pull requests across GitHub repositories */
  function search_issues(args: {q: string, order?: "asc" | "desc", page?: number, per_page?: number, sort?: "comments" | "reactions" | "reactions-+1" | "reactions--1" | "reactions-smile" | "reactions-thinking_face" | "reactions-heart" | "reactions-tada" | "interactions" | "created" | "updated"}): any;
  /** Search for users on GitHub */
  function search_users(args: {q: string, order?: "asc" | "desc", page?: number, per_page?: number, sort?: "followers" | "repositories" | "joined"}): any;
  /** Get details of a specific issue in a GitHub repository. */
  function get_issue(args: {owner: string, repo: string, issue_number: number}): any;
  /** Get details of a specific pull request */
  function get_pull_request(args: {owner: string, repo: string, pull_number: number}): any;
  /** List and filter repository pull requests */
  function list_pull_requests(args: {owner: string, repo: string, state?: "open" | "closed" | "all", head?: string, base?: string, sort?: "created" | "updated" | "popularity" | "long-running", direction?: "asc" | "desc", per_page?: number, page?: number}): any;
  /** Create a review on a pull request */
  function create_pull_request_review(args: {owner: string, repo: string, pull_number: number, commit_id?: string, body: string, event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT", comments?: ({path: string, position: number, body: string} | {path: string, line: number, body: string})[]}): any;
  /** Merge a pull request */
  function merge_pull_request(args: {owner: string, repo: string, pull_number: number, commit_title?: string, commit_message?: string, merge_method?: "merge" | "squash" | "rebase"}): any;
  /** Get the list of files changed in a pull request */
  function get_pull_request_files(args: {owner: string, repo: string, pull_number: number}): any;
  /** Get the combined status of all status checks for a pull request */
  function get_pull_request_status(args: {owner: string, repo: string, pull_number: number}): any;
  /** Update a pull request branch with the latest changes from the base branch */
  function update_pull_request_branch(args: {owner: string, repo: string, pull_number: number, expected_head_sha?: string}): any;
  /** Get the review comments on a pull request */
  function get_pull_request_comments(args: {owner: string, repo: string, pull_number: number}): any;
  /** Get the reviews on a pull request */
  function get_pull_request_reviews(args: {owner: string, repo: string, pull_number: number}): any;
}

// Example
function Run(params: any) {
  const first = github.search_repositories({ query: "example" });
  const second = github.list_commits({ owner: "example", repo: "example" });
  console.log("2 calls answered");
  return { first, second };
}
