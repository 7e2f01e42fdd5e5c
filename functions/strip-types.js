// Node strips no types below `node_modules`, where a global or `npx` installation puts this project. Preloaded by
// `mcp-code-mode.js` in that case only, it does the same for the project's own files; workers inherit it.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const project = new URL('..', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    const own = url.startsWith(project) && !url.startsWith(`${project}node_modules/`);
    if (!own || !/\.ts(\?|$)/.test(url)) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', shortCircuit: true, source };
  },
});
