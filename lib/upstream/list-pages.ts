import { isJsonObject, type JsonObject } from '../json.ts';

/** Pages read of one list: an upstream that never ends its paging must not keep us for ever. */
const MAX_PAGES = 1000;

/**
 * Reads a list of MCP to its end by `nextCursor`. A cursor seen before ends it with a warning; entries that are no objects
 * are dropped with one.
 */
export async function listPages(
  page: (params: JsonObject) => Promise<JsonObject>,
  key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts',
  warn: (text: string) => void = () => {},
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer = await page(cursor === undefined ? {} : { cursor });
    const entries = Array.isArray(answer[key]) ? answer[key] : [];
    found.push(...entries.filter(isJsonObject));
    if (entries.some((entry) => !isJsonObject(entry)))
      warn(`Its list of ${key} holds entries that are no objects; they were left out.`);
    const next = answer['nextCursor'];
    if (typeof next !== 'string') return found;
    if (seen.has(next)) {
      warn(`Its list of ${key} repeats the page cursor after page ${pages + 1}; reading stopped there.`);
      return found;
    }
    seen.add(next);
    cursor = next;
  }
  warn(`Its list of ${key} has more than ${MAX_PAGES} pages; reading stopped there.`);
  return found;
}
