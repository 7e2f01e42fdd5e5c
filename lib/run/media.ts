import type { ContentBlock } from '../tool.ts';

/** Depth beyond which a value is not searched for blocks. */
const MAX_DEPTH = 64;

/**
 * Takes the image, audio and resource blocks out of a script's value: they follow the JSON as content blocks of their
 * own, and stand in the JSON by their place there. The value comes back untouched where there are none.
 */
export function takeMedia(value: unknown): { value: unknown; blocks: ContentBlock[] } {
  const blocks: ContentBlock[] = [];
  return { value: walk(value, blocks, 0), blocks };
}

function walk(value: unknown, blocks: ContentBlock[], depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (isMedia(value)) {
    blocks.push(value);
    return stand(value, blocks.length);
  }
  const before = blocks.length;
  if (Array.isArray(value)) {
    const mapped = value.map((item) => walk(item, blocks, depth + 1));
    return blocks.length === before ? value : mapped;
  }
  const mapped = Object.entries(value).map(([key, item]) => [key, walk(item, blocks, depth + 1)] as const);
  return blocks.length === before ? value : Object.fromEntries(mapped);
}

function isMedia(value: object): value is ContentBlock {
  const block = value as Record<string, unknown>;
  switch (block.type) {
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string';
    case 'resource': {
      const resource = block.resource as Record<string, unknown> | null | undefined;
      return (
        typeof resource?.uri === 'string' && (typeof resource.text === 'string' || typeof resource.blob === 'string')
      );
    }
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string';
    default:
      return false;
  }
}

/** What stands in the JSON for a block: its kind, and which of the answer's content blocks it is (the JSON is 0). */
function stand(block: ContentBlock, index: number): Record<string, unknown> {
  const resource = block.resource as Record<string, unknown> | undefined;
  const uri = block.uri ?? resource?.uri;
  const mimeType = block.mimeType ?? resource?.mimeType;
  return {
    type: block.type,
    ...(mimeType !== undefined && { mimeType }),
    ...(uri !== undefined && { uri }),
    content: index,
  };
}
