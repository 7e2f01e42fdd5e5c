// expect-error: runtime: host functions of tools, os
async function Run() {
  const response = await fetch('https://example.com/a.json');
  return response.json();
}
