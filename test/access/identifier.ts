import { createIdentify } from '../../lib/access/identify.ts';
import { configSchema } from '../../lib/config/schema.ts';
import type { Log } from '../../lib/log.ts';
import { NOW } from './tokens.ts';

/** Identifies as a server with this `auth` section would. */
export function identifier(auth: object, more: { groups?: Record<string, string[]>; log?: Log } = {}) {
  const parsed = configSchema.parse({ auth }).auth;
  const identify = createIdentify({ auth: parsed, resolve: async (text) => text, now: () => NOW, ...more });
  return (headers: Record<string, string> | [string, string][]) => identify(new Headers(headers));
}
