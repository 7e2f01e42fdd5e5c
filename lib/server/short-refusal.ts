import type { Json, JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { shownName } from '../shown-name.ts';
import { HEADER_MISMATCH } from './check-param-headers.ts';

/** The SDK's code for a version it does not know (MCP 2026-07-28). */
const UNSUPPORTED_VERSION = -32022;

/** Characters of a refusal that repeats what a request said of itself. */
const MAX_REFUSAL_CHARS = 1000;

/** The SDK's refusals of a request's version or headers repeat them whole: as they are, but in a length that can be read. */
export async function shortRefusal(response: Response): Promise<Response> {
  if (response.status !== 400) return response;
  const answer = (await response
    .clone()
    .json()
    .catch(() => undefined)) as JsonObject | undefined;
  const error = isJsonObject(answer?.error) ? answer.error : {};
  if (error.code !== HEADER_MISMATCH && error.code !== UNSUPPORTED_VERSION) return response;
  const data = isJsonObject(error.data) ? { data: shortened(error.data) } : {};
  const message = String(error.message).slice(0, MAX_REFUSAL_CHARS).toWellFormed();
  return Response.json({ ...answer, error: { ...error, message, ...data } }, { status: 400 });
}

function shortened(data: JsonObject): JsonObject {
  const short = (value: Json): Json => {
    if (typeof value === 'string') return shownName(value);
    return isJsonObject(value) ? shortened(value) : value;
  };
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, short(value)]));
}
