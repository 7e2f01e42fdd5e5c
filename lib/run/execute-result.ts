import type { ErrorCode } from '../errors.ts';
import { CodeModeError } from '../errors.ts';
import type { Outcome } from '../sandbox/contract.ts';
import type { ContentBlock, ToolResult } from '../tool.ts';
import { takeMedia } from './media.ts';

/** How an execution ended, before it is written down. */
export type Ended = Outcome | { ok: false; code: ErrorCode; message: string; logs?: string[]; value?: string };

/** What is known beside the outcome. */
export interface Spent {
  durationMs: number;
  toolCalls: number;
}

/** Writes `ExecuteResult` (CONTRACT, "ExecuteResult") as the answer of `execute_code`: JSON text, then any media blocks. */
export function executeResult(ended: Ended, { durationMs, toolCalls }: Spent): ToolResult {
  const { text, blocks } = valueText('value' in ended ? ended.value : undefined);
  const failure = ended.ok
    ? {}
    : {
        error: ended.message,
        errorCode: ended.code,
        ...('line' in ended && ended.line !== undefined && { line: ended.line }),
        ...('column' in ended && ended.column !== undefined && { column: ended.column }),
      };
  const rest = JSON.stringify({
    logs: ended.logs ?? [],
    ...failure,
    timedOut: !ended.ok && ended.code === 'timeout',
    durationMs: Math.round(durationMs),
    toolCalls,
  });
  // The value goes out as the text it came in: parsing it would cost digits of big numbers.
  const json = `{"ok":${ended.ok}${text === undefined ? '' : `,"value":${text}`},${rest.slice(1)}`;
  return { content: [{ type: 'text', text: json }, ...blocks], ...(!ended.ok && { isError: true }) };
}

/** A failure before or instead of a run, from an error. */
export function endedBy(error: unknown): Ended {
  if (error instanceof CodeModeError) return { ok: false, code: error.code, message: error.message };
  return { ok: false, code: 'internal', message: 'the gateway failed inside; try again, and tell its administrator' };
}

function valueText(value: string | undefined): { text: string | undefined; blocks: ContentBlock[] } {
  // Only a value that can hold a block is worth parsing.
  if (value === undefined || !/"type"\s*:\s*"(?:image|audio|resource|resource_link)"/.test(value)) {
    return { text: value, blocks: [] };
  }
  const taken = takeMedia(JSON.parse(value));
  return taken.blocks.length === 0
    ? { text: value, blocks: [] }
    : { text: JSON.stringify(taken.value), blocks: taken.blocks };
}
