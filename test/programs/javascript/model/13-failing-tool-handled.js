// expect-value: {"failed": "no such file: /nowhere", "code": "tool_failed", "tool": "os.read_file"}
// expect-log: falling back
async function Run() {
  try {
    return await os.read_file({ path: '/nowhere' });
  } catch (error) {
    console.warn('falling back', error.message);
    return { failed: error.message, code: error.code, tool: error.tool };
  }
}
