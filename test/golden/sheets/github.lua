-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = github.search_repositories({query = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return github.search_repositories({query = "example"}) end, function() return github.list_commits({owner = "example", repo = "example"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class github server server-github; called as github.name({…})
---@field create_or_update_file fun(args: {owner: string, repo: string, path: string, content: string, message: string, branch: string, sha?: string}) Create or update a single file in a GitHub repository
---@field search_repositories fun(args: {query: string, page?: number, perPage?: number}) Search for GitHub repositories
---@field create_repository fun(args: {name: string, description?: string, private?: boolean, autoInit?: boolean}) Create a new GitHub repository in your account
---@field get_file_contents fun(args: {owner: string, repo: string, path: string, branch?: string}) Get the contents of a file or directory from a GitHub repository
---@field push_files fun(args: {owner: string, repo: string, branch: string, files: {path: string, content: string}[], message: string}) Push multiple files to a GitHub repository in a single commit
---@field create_issue fun(args: {owner: string, repo: string, title: string, body?: string, assignees?: string[], milestone?: number, labels?: string[]}) Create a new issue in a GitHub repository
---@field create_pull_request fun(args: {owner: string, repo: string, title: string, body?: string, head: string, base: string, draft?: boolean, maintainer_can_modify?: boolean}) Create a new pull request in a GitHub repository
---@field fork_repository fun(args: {owner: string, repo: string, organization?: string}) Fork a GitHub repository to your account or specified organization
---@field create_branch fun(args: {owner: string, repo: string, branch: string, from_branch?: string}) Create a new branch in a GitHub repository
---@field list_commits fun(args: {owner: string, repo: string, sha?: string, page?: number, perPage?: number}) Get list of commits of a branch in a GitHub repository
---@field list_issues fun(args: {owner: string, repo: string, direction?: "asc"|"desc", labels?: string[], page?: number, per_page?: number, since?: string, sort?: "created"|"updated"|"comments", state?: "open"|"closed"|"all"}) List issues in a GitHub repository with filtering options
---@field update_issue fun(args: {owner: string, repo: string, issue_number: number, title?: string, body?: string, assignees?: string[], milestone?: number, labels?: string[], state?: "open"|"closed"}) Update an existing issue in a GitHub repository
---@field add_issue_comment fun(args: {owner: string, repo: string, issue_number: number, body: string}) Add a comment to an existing issue
---@field search_code fun(args: {q: string, order?: "asc"|"desc", page?: number, per_page?: number}) Search for code across GitHub repositories
---@field search_issues fun(args: {q: string, order?: "asc"|"desc", page?: number, per_page?: number, sort?: "comments"|"reactions"|"reactions-+1"|"reactions--1"|"reactions-smile"|"reactions-thinking_face"|"reactions-heart"|"reactions-tada"|"interactions"|"created"|"updated"}) Search for issues and pull requests across GitHub repositories
---@field search_users fun(args: {q: string, order?: "asc"|"desc", page?: number, per_page?: number, sort?: "followers"|"repositories"|"joined"}) Search for users on GitHub
---@field get_issue fun(args: {owner: string, repo: string, issue_number: number}) Get details of a specific issue in a GitHub repository.
---@field get_pull_request fun(args: {owner: string, repo: string, pull_number: number}) Get details of a specific pull request
---@field list_pull_requests fun(args: {owner: string, repo: string, state?: "open"|"closed"|"all", head?: string, base?: string, sort?: "created"|"updated"|"popularity"|"long-running", direction?: "asc"|"desc", per_page?: number, page?: number}) List and filter repository pull requests
---@field create_pull_request_review fun(args: {owner: string, repo: string, pull_number: number, commit_id?: string, body: string, event: "APPROVE"|"REQUEST_CHANGES"|"COMMENT", comments?: ({path: string, position: number, body: string}|{path: string, line: number, body: string})[]}) Create a review on a pull request
---@field merge_pull_request fun(args: {owner: string, repo: string, pull_number: number, commit_title?: string, commit_message?: string, merge_method?: "merge"|"squash"|"rebase"}) Merge a pull request
---@field get_pull_request_files fun(args: {owner: string, repo: string, pull_number: number}) Get the list of files changed in a pull request
---@field get_pull_request_status fun(args: {owner: string, repo: string, pull_number: number}) Get the combined status of all status checks for a pull request
---@field update_pull_request_branch fun(args: {owner: string, repo: string, pull_number: number, expected_head_sha?: string}) Update a pull request branch with the latest changes from the base branch
---@field get_pull_request_comments fun(args: {owner: string, repo: string, pull_number: number}) Get the review comments on a pull request
---@field get_pull_request_reviews fun(args: {owner: string, repo: string, pull_number: number}) Get the reviews on a pull request

-- Example
function Run(params)
  local first = github.search_repositories({query = "example"})
  local second = github.list_commits({owner = "example", repo = "example"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
