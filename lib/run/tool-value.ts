import type { ContentBlock, ToolResult } from '../tool.ts';

/**
 * A tool's result as a script sees it, as JSON text (DESIGN, "Tool result → script value"): `structuredContent` if present;
 * else text parsed as JSON where it parses, else the text; several blocks become an array; other blocks stay blocks.
 * JSON text is passed on as it came, so that big numbers keep their digits.
 */
export function toolValue(result: ToolResult): string {
  if (result.structuredContent !== undefined) return JSON.stringify(result.structuredContent);
  const blocks = result.content ?? [];
  if (blocks.length === 1) return blockValue(blocks[0]!);
  return blocks.length === 0 ? 'null' : `[${blocks.map(blockValue).join(',')}]`;
}

/** The text of a failed result, for an error's message. */
export function resultText(result: ToolResult): string {
  const texts = (result.content ?? []).flatMap((block) => (typeof block.text === 'string' ? [block.text] : []));
  if (texts.length > 0) return texts.join('\n');
  if (result.structuredContent !== undefined) return JSON.stringify(result.structuredContent);
  return 'the tool reported an error without a text';
}

function blockValue(block: ContentBlock): string {
  if (block.type !== 'text' || typeof block.text !== 'string') return JSON.stringify(block);
  return isJson(block.text) ? block.text.trim() : JSON.stringify(block.text);
}

function isJson(text: string): boolean {
  // Cheap look first: long prose should not cost a parse error each time.
  if (!/^\s*(?:[[{"\d-]|true|false|null)/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
