// Functions for execute_code with language "typescript" (types are stripped, not checked).
// Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.
// Every function takes one object and returns its result at once: const r = playwright.browser_console_messages({ level: "info" });
// In an async Run every call returns a promise: await it, or run up to 16 at once: const [a, b] = await Promise.all([playwright.browser_console_messages({ level: "info" }), playwright.browser_network_requests({ static: false })]);
// A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.
// console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.
// In comments below, [name] is the tool's own name where it differs.

/** Server playwright-mcp */
declare namespace playwright {
  /** Close the page */
  function browser_close(): any;
  /** Resize the browser window */
  function browser_resize(args: {width: number, height: number}): any;
  /** Returns all console messages */
  function browser_console_messages(args: {level: "error" | "warning" | "info" | "debug", all?: boolean, filename?: string}): any;
  /** Handle a dialog */
  function browser_handle_dialog(args: {accept: boolean, promptText?: string}): any;
  /** Emulate CSS media features for the page, for example switch between the light and dark color scheme. */
  function browser_emulate_media(args?: {colorScheme?: "light" | "dark" | null, reducedMotion?: "reduce" | "no-preference" | null, forcedColors?: "active" | "none" | null, contrast?: "more" | "no-preference" | null, media?: "screen" | "print" | null}): any;
  /** Evaluate JavaScript expression on page or element */
  function browser_evaluate(args: {element?: string, target?: string, function: string, filename?: string}): any;
  /** Upload one or multiple files */
  function browser_file_upload(args?: {paths?: string[]}): any;
  /** Drop files or MIME-typed data onto an element, as if dragged from outside the page. */
  function browser_drop(args: {element?: string, target: string, paths?: string[], data?: {[key: string]: string}}): any;
  /** Search the accessibility snapshot of the current page for text or a regular expression. */
  function browser_find(args?: {text?: string, regex?: string, filename?: string}): any;
  /** Fill multiple form fields */
  function browser_fill_form(args: {fields: {element?: string, target: string, name: string, type: "textbox" | "checkbox" | "radio" | "combobox" | "slider", value: string}[]}): any;
  /** Press a key on the keyboard */
  function browser_press_key(args: {key: string}): any;
  /** Type text into editable element */
  function browser_type(args: {element?: string, target: string, text: string, submit?: boolean, slowly?: boolean}): any;
  /** Navigate to a URL */
  function browser_navigate(args: {url: string}): any;
  /** Go back to the previous page in the history */
  function browser_navigate_back(): any;
  /** Returns a numbered list of network requests since loading the page. */
  function browser_network_requests(args: {static: boolean, filter?: string, filename?: string}): any;
  /** Returns full details (headers and body) of a single network request, or a single part if `part` is set. */
  function browser_network_request(args: {index: number, part?: "request-headers" | "request-body" | "response-headers" | "response-body", filename?: string}): any;
  /** Run a Playwright code snippet. */
  function browser_run_code_unsafe(args?: {code?: string, filename?: string}): any;
  /** Take a screenshot of the current page. */
  function browser_take_screenshot(args: {element?: string, target?: string, type?: "png" | "jpeg" | "webp", filename?: string, fullPage?: boolean, scale: "css" | "device"}): any;
  /** Capture accessibility snapshot of the current page, this is better than screenshot */
  function browser_snapshot(args?: {target?: string, filename?: string, depth?: number, boxes?: boolean}): any;
  /** Perform click on a web page */
  function browser_click(args: {element?: string, target: string, doubleClick?: boolean, button?: "left" | "right" | "middle", modifiers?: ("Alt" | "Control" | "ControlOrMeta" | "Meta" | "Shift")[]}): any;
  /** Perform drag and drop between two elements */
  function browser_drag(args: {startElement?: string, startTarget: string, endElement?: string, endTarget: string}): any;
  /** Hover over element on page */
  function browser_hover(args: {element?: string, target: string}): any;
  /** Select an option in a dropdown */
  function browser_select_option(args: {element?: string, target: string, values: string[]}): any;
  /** List, create, close, or select a browser tab. */
  function browser_tabs(args: {action: "list" | "new" | "close" | "select", index?: number, url?: string}): any;
  /** Wait for text to appear or disappear or a specified time to pass */
  function browser_wait_for(args?: {time?: number, text?: string, textGone?: string}): any;
}

// Example
function Run(params: any) {
  const first = playwright.browser_console_messages({ level: "info" });
  const second = playwright.browser_network_requests({ static: false });
  console.log("2 calls answered");
  return { first, second };
}
