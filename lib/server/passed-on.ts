import type { JsonObject } from '../json.ts';

/** `_meta` fields that are between us and our client. */
const OWN_META = /^(?:progressToken$|io\.modelcontextprotocol\/)/;

/** The fields of a request's `_meta` that pass on to upstreams: trace context, and a client's own. */
export function passedOn(meta: JsonObject | undefined): JsonObject {
  return Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => !OWN_META.test(key)));
}
