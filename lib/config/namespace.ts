import type { UpstreamConfig } from './schema.ts';

/** A script can write `namespace.tool` in every language. */
export const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A name made an identifier: letters, digits and `_` are kept, every run of others becomes one `_`. */
export function identifierOf(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '') || 'server';
  return /^[0-9]/.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** The namespace of a server's functions: its alias, else its name made an identifier (DESIGN, "Names"). */
export function namespaceOf(upstream: Pick<UpstreamConfig, 'name' | 'alias'>): string {
  return upstream.alias ?? identifierOf(upstream.name);
}
