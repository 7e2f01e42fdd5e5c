// expect-error: tool_failed: no such file: /nowhere
function Run() {
  return os.read_file({ path: '/nowhere' });
}
