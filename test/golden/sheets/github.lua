-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = github.search_repositories({query = "example"})
-- Up to 16 calls at once: local a, b = parallel(function() return github.search_repositories({query = "example"}) end, function() return github.list_commits({owner = "example", repo = "example"}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- github: server server-github
--- Create or update a single file in a GitHub repository
---@param args {owner: string, repo: string, path: string, content: string, message: string, branch: string, sha?: string}
function github.create_or_update_file(args) end
--- Search for GitHub repositories
---@param args {query: string, page?: number, perPage?: number}
function github.search_repositories(args) end
--- Create a new GitHub repository in your account
---@param args {name: string, description?: string, private?: boolean, autoInit?: boolean}
function github.create_repository(args) end
--- Get the contents of a file or directory from a GitHub repository
---@param args {owner: string, repo: string, path: string, branch?: string}
function github.get_file_contents(args) end
--- Push multiple files to a GitHub repository in a single commit
---@param args {owner: string, repo: string, branch: string, files: {path: string, content: string}[], message: string}
function github.push_files(args) end
--- Create a new issue in a GitHub repository
---@param args {owner: string, repo: string, title: string, body?: string, assignees?: string[], milestone?: number, labels?: string[]}
function github.create_issue(args) end
--- Create a new pull request in a GitHub repository
---@param args {owner: string, repo: string, title: string, body?: string, head: string, base: string, draft?: boolean, maintainer_can_modify?: boolean}
function github.create_pull_request(args) end
--- Fork a GitHub repository to your account or specified organization
---@param args {owner: string, repo: string, organization?: string}
function github.fork_repository(args) end
--- Create a new branch in a GitHub repository
---@param args {owner: string, repo: string, branch: string, from_branch?: string}
function github.create_branch(args) end
--- Get list of commits of a branch in a GitHub repository
---@param args {owner: string, repo: string, sha?: string, page?: number, perPage?: number}
function github.list_commits(args) end
--- List issues in a GitHub repository with filtering options
---@param args {owner: string, repo: string, direction?: "asc"|"desc", labels?: string[], page?: number, per_page?: number, since?: string, sort?: "created"|"updated"|"comments", state?: "open"|"closed"|"all"}
function github.list_issues(args) end
--- Update an existing issue in a GitHub repository
---@param args {owner: string, repo: string, issue_number: number, title?: string, body?: string, assignees?: string[], milestone?: number, labels?: string[], state?: "open"|"closed"}
function github.update_issue(args) end
--- Add a comment to an existing issue
---@param args {owner: string, repo: string, issue_number: number, body: string}
function github.add_issue_comment(args) end
--- Search for code across GitHub repositories
---@param args {q: string, order?: "asc"|"desc", page?: number, per_page?: number}
function github.search_code(args) end
--- Search for issues and pull requests across GitHub repositories
---@param args {q: string, order?: "asc"|"desc", page?: number, per_page?: number, sort?: "comments"|"reactions"|"reactions-+1"|"reactions--1"|"reactions-smile"|"reactions-thinking_face"|"reactions-heart"|"reactions-tada"|"interactions"|"created"|"updated"}
function github.search_issues(args) end
--- Search for users on GitHub
---@param args {q: string, order?: "asc"|"desc", page?: number, per_page?: number, sort?: "followers"|"repositories"|"joined"}
function github.search_users(args) end
--- Get details of a specific issue in a GitHub repository.
---@param args {owner: string, repo: string, issue_number: number}
function github.get_issue(args) end
--- Get details of a specific pull request
---@param args {owner: string, repo: string, pull_number: number}
function github.get_pull_request(args) end
--- List and filter repository pull requests
---@param args {owner: string, repo: string, state?: "open"|"closed"|"all", head?: string, base?: string, sort?: "created"|"updated"|"popularity"|"long-running", direction?: "asc"|"desc", per_page?: number, page?: number}
function github.list_pull_requests(args) end
--- Create a review on a pull request
---@param args {owner: string, repo: string, pull_number: number, commit_id?: string, body: string, event: "APPROVE"|"REQUEST_CHANGES"|"COMMENT", comments?: ({path: string, position: number, body: string}|{path: string, line: number, body: string})[]}
function github.create_pull_request_review(args) end
--- Merge a pull request
---@param args {owner: string, repo: string, pull_number: number, commit_title?: string, commit_message?: string, merge_method?: "merge"|"squash"|"rebase"}
function github.merge_pull_request(args) end
--- Get the list of files changed in a pull request
---@param args {owner: string, repo: string, pull_number: number}
function github.get_pull_request_files(args) end
--- Get the combined status of all status checks for a pull request
---@param args {owner: string, repo: string, pull_number: number}
function github.get_pull_request_status(args) end
--- Update a pull request branch with the latest changes from the base branch
---@param args {owner: string, repo: string, pull_number: number, expected_head_sha?: string}
function github.update_pull_request_branch(args) end
--- Get the review comments on a pull request
---@param args {owner: string, repo: string, pull_number: number}
function github.get_pull_request_comments(args) end
--- Get the reviews on a pull request
---@param args {owner: string, repo: string, pull_number: number}
function github.get_pull_request_reviews(args) end

-- Example
function Run(params)
  local first = github.search_repositories({query = "example"})
  local second = github.list_commits({owner = "example", repo = "example"})
  console.log("2 calls answered")
  return {first = first, second = second}
end
