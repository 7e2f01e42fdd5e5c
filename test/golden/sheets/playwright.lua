-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = playwright.browser_console_messages({level = "info"})
-- Up to 16 calls at once: local a, b = parallel(function() return playwright.browser_console_messages({level = "info"}) end, function() return playwright.browser_network_requests({static = false}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

---@class playwright server playwright-mcp; called as playwright.name({…})
---@field browser_close fun() Close the page
---@field browser_resize fun(args: {width: number, height: number}) Resize the browser window
---@field browser_console_messages fun(args: {level: "error"|"warning"|"info"|"debug", all?: boolean, filename?: string}) Returns all console messages
---@field browser_handle_dialog fun(args: {accept: boolean, promptText?: string}) Handle a dialog
---@field browser_emulate_media fun(args: {colorScheme?: "light"|"dark"|nil, reducedMotion?: "reduce"|"no-preference"|nil, forcedColors?: "active"|"none"|nil, contrast?: "more"|"no-preference"|nil, media?: "screen"|"print"|nil}) Emulate CSS media features for the page, for example switch between the light and dark color scheme.
---@field browser_evaluate fun(args: {element?: string, target?: string, ["function"]: string, filename?: string}) Evaluate JavaScript expression on page or element
---@field browser_file_upload fun(args: {paths?: string[]}) Upload one or multiple files
---@field browser_drop fun(args: {element?: string, target: string, paths?: string[], data?: table<string, string>}) Drop files or MIME-typed data onto an element, as if dragged from outside the page.
---@field browser_find fun(args: {text?: string, regex?: string, filename?: string}) Search the accessibility snapshot of the current page for text or a regular expression.
---@field browser_fill_form fun(args: {fields: {element?: string, target: string, name: string, type: "textbox"|"checkbox"|"radio"|"combobox"|"slider", value: string}[]}) Fill multiple form fields
---@field browser_press_key fun(args: {key: string}) Press a key on the keyboard
---@field browser_type fun(args: {element?: string, target: string, text: string, submit?: boolean, slowly?: boolean}) Type text into editable element
---@field browser_navigate fun(args: {url: string}) Navigate to a URL
---@field browser_navigate_back fun() Go back to the previous page in the history
---@field browser_network_requests fun(args: {static: boolean, filter?: string, filename?: string}) Returns a numbered list of network requests since loading the page.
---@field browser_network_request fun(args: {index: integer, part?: "request-headers"|"request-body"|"response-headers"|"response-body", filename?: string}) Returns full details (headers and body) of a single network request, or a single part if `part` is set.
---@field browser_run_code_unsafe fun(args: {code?: string, filename?: string}) Run a Playwright code snippet.
---@field browser_take_screenshot fun(args: {element?: string, target?: string, type?: "png"|"jpeg"|"webp", filename?: string, fullPage?: boolean, scale: "css"|"device"}) Take a screenshot of the current page.
---@field browser_snapshot fun(args: {target?: string, filename?: string, depth?: number, boxes?: boolean}) Capture accessibility snapshot of the current page, this is better than screenshot
---@field browser_click fun(args: {element?: string, target: string, doubleClick?: boolean, button?: "left"|"right"|"middle", modifiers?: ("Alt"|"Control"|"ControlOrMeta"|"Meta"|"Shift")[]}) Perform click on a web page
---@field browser_drag fun(args: {startElement?: string, startTarget: string, endElement?: string, endTarget: string}) Perform drag and drop between two elements
---@field browser_hover fun(args: {element?: string, target: string}) Hover over element on page
---@field browser_select_option fun(args: {element?: string, target: string, values: string[]}) Select an option in a dropdown
---@field browser_tabs fun(args: {action: "list"|"new"|"close"|"select", index?: number, url?: string}) List, create, close, or select a browser tab.
---@field browser_wait_for fun(args: {time?: number, text?: string, textGone?: string}) Wait for text to appear or disappear or a specified time to pass

-- Example
function Run(params)
  local first = playwright.browser_console_messages({level = "info"})
  local second = playwright.browser_network_requests({static = false})
  console.log("2 calls answered")
  return {first = first, second = second}
end
