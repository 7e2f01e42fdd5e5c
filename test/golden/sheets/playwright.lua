-- Functions for execute_code with language "lua" (Lua 5.4).
-- Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.
-- Every function takes one table and returns its result at once: local r = playwright.browser_console_messages({level = "info"})
-- Up to 16 calls at once: local a, b = parallel(function() return playwright.browser_console_messages({level = "info"}) end, function() return playwright.browser_network_requests({static = false}) end)
-- A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.
-- console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.
-- Below: ? marks what may be left out; [name] is the tool's own name where it differs.

-- playwright: server playwright-mcp
--- Close the page
function playwright.browser_close() end
--- Resize the browser window
---@param args {width: number, height: number}
function playwright.browser_resize(args) end
--- Returns all console messages
---@param args {level: "error"|"warning"|"info"|"debug", all?: boolean, filename?: string}
function playwright.browser_console_messages(args) end
--- Handle a dialog
---@param args {accept: boolean, promptText?: string}
function playwright.browser_handle_dialog(args) end
--- Emulate CSS media features for the page, for example switch between the light and dark color scheme.
---@param args {colorScheme?: "light"|"dark"|nil, reducedMotion?: "reduce"|"no-preference"|nil, forcedColors?: "active"|"none"|nil, contrast?: "more"|"no-preference"|nil, media?: "screen"|"print"|nil}
function playwright.browser_emulate_media(args) end
--- Evaluate JavaScript expression on page or element
---@param args {element?: string, target?: string, ["function"]: string, filename?: string}
function playwright.browser_evaluate(args) end
--- Upload one or multiple files
---@param args {paths?: string[]}
function playwright.browser_file_upload(args) end
--- Drop files or MIME-typed data onto an element, as if dragged from outside the page.
---@param args {element?: string, target: string, paths?: string[], data?: table<string, string>}
function playwright.browser_drop(args) end
--- Search the accessibility snapshot of the current page for text or a regular expression.
---@param args {text?: string, regex?: string, filename?: string}
function playwright.browser_find(args) end
--- Fill multiple form fields
---@param args {fields: {element?: string, target: string, name: string, type: "textbox"|"checkbox"|"radio"|"combobox"|"slider", value: string}[]}
function playwright.browser_fill_form(args) end
--- Press a key on the keyboard
---@param args {key: string}
function playwright.browser_press_key(args) end
--- Type text into editable element
---@param args {element?: string, target: string, text: string, submit?: boolean, slowly?: boolean}
function playwright.browser_type(args) end
--- Navigate to a URL
---@param args {url: string}
function playwright.browser_navigate(args) end
--- Go back to the previous page in the history
function playwright.browser_navigate_back() end
--- Returns a numbered list of network requests since loading the page.
---@param args {static: boolean, filter?: string, filename?: string}
function playwright.browser_network_requests(args) end
--- Returns full details (headers and body) of a single network request, or a single part if `part` is set.
---@param args {index: integer, part?: "request-headers"|"request-body"|"response-headers"|"response-body", filename?: string}
function playwright.browser_network_request(args) end
--- Run a Playwright code snippet.
---@param args {code?: string, filename?: string}
function playwright.browser_run_code_unsafe(args) end
--- Take a screenshot of the current page.
---@param args {element?: string, target?: string, type?: "png"|"jpeg"|"webp", filename?: string, fullPage?: boolean, scale: "css"|"device"}
function playwright.browser_take_screenshot(args) end
--- Capture accessibility snapshot of the current page, this is better than screenshot
---@param args {target?: string, filename?: string, depth?: number, boxes?: boolean}
function playwright.browser_snapshot(args) end
--- Perform click on a web page
---@param args {element?: string, target: string, doubleClick?: boolean, button?: "left"|"right"|"middle", modifiers?: ("Alt"|"Control"|"ControlOrMeta"|"Meta"|"Shift")[]}
function playwright.browser_click(args) end
--- Perform drag and drop between two elements
---@param args {startElement?: string, startTarget: string, endElement?: string, endTarget: string}
function playwright.browser_drag(args) end
--- Hover over element on page
---@param args {element?: string, target: string}
function playwright.browser_hover(args) end
--- Select an option in a dropdown
---@param args {element?: string, target: string, values: string[]}
function playwright.browser_select_option(args) end
--- List, create, close, or select a browser tab.
---@param args {action: "list"|"new"|"close"|"select", index?: number, url?: string}
function playwright.browser_tabs(args) end
--- Wait for text to appear or disappear or a specified time to pass
---@param args {time?: number, text?: string, textGone?: string}
function playwright.browser_wait_for(args) end

-- Example
function Run(params)
  local first = playwright.browser_console_messages({level = "info"})
  local second = playwright.browser_network_requests({static = false})
  console.log("2 calls answered")
  return {first = first, second = second}
end
