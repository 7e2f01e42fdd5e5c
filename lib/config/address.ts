/** Where a server listens. */
export interface Address {
  /** Absent: all interfaces. */
  host?: string;
  /** 0 lets the system choose. */
  port: number;
}

/** Reads `:8000` (all interfaces), `127.0.0.1:8000`, `localhost:8000` or `[::1]:8000`; undefined where it is none. */
export function parseAddress(text: string): Address | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text);
  if (!match) return undefined;
  const host = match[1] ?? match[2] ?? '';
  const port = Number(match[3]);
  if (port > 65_535) return undefined;
  return host ? { host, port } : { port };
}
