import type { UpstreamConfig } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { ConnectFailure } from './http-fetch.ts';

/** What a client may know of why an upstream cannot be reached: no path, address, header or stack. */
export function unavailableReason(error: unknown, config: UpstreamConfig): string {
  for (const cause of causesOf(error)) {
    if (cause instanceof ConnectFailure && cause.fitForClient) return cause.message;
    if (cause instanceof CodeModeError) return `its configuration cannot be read (${cause.message})`;
    const status = httpStatusOf(cause);
    if (status !== undefined) return ofStatus(status);
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (config.transport === 'stdio' && code in OF_A_PROCESS) return OF_A_PROCESS[code]!(config);
    if (code in BY_CODE) return BY_CODE[code]!;
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return `its TLS certificate is not accepted (${code})`;
    if (code === 'REQUEST_TIMEOUT') return `it did not answer within ${config.connect_timeout_s} s (connect_timeout_s)`;
    if (cause.name === 'SyntaxError' || cause.name === 'ZodError' || cause.name === '$ZodError') {
      return 'what it answered is no MCP message';
    }
    if (/protocol version/i.test(cause.message)) return 'it speaks no protocol version known here';
  }
  return 'the exchange of MCP messages with it failed';
}

/** The HTTP status that an error of the SDK's transports carries, if any. */
export function httpStatusOf(error: Error): number | undefined {
  if ('data' in error && typeof error.data === 'object' && error.data !== null && 'status' in error.data) {
    if (typeof error.data.status === 'number') return error.data.status;
  }
  if (error.name === 'SseError' || error.message.startsWith('SSE error')) {
    return 'code' in error && typeof error.code === 'number' ? error.code : undefined;
  }
  const posted = /\(HTTP (\d{3})\)/.exec(error.message);
  return posted ? Number(posted[1]) : undefined;
}

/** An error and what caused it, outermost first. */
export function* causesOf(error: unknown): Generator<Error> {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    yield current;
    if (current instanceof AggregateError) for (const inner of current.errors) if (inner instanceof Error) yield inner;
    current = current.cause;
  }
}

function ofStatus(status: number): string {
  if (status >= 300 && status < 400) return 'it answers with a redirect to another origin: set its final url';
  if (status === 401 || status === 403) return `it refused our credentials (HTTP ${status})`;
  if (status === 404) return 'there is no MCP endpoint at its url (HTTP 404)';
  if (status === 429) return 'it is limiting our requests (HTTP 429)';
  return `it answered HTTP ${status}`;
}

/** What the same codes mean of a process. */
const OF_A_PROCESS: Record<string, (config: UpstreamConfig) => string> = {
  CONNECTION_CLOSED: () => ENDED,
  NOT_CONNECTED: () => ENDED,
  ENOENT: ({ command = '' }) =>
    /\s/.test(command) && !command.includes('${')
      ? 'its command was not found: command is the program alone, its arguments stand in args'
      : 'its command, or its working_dir, was not found',
};

const ENDED = 'its process ended (the log has its exit code and the last line it wrote to stderr)';

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'it refused the connection, as if it were not running',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'the connection to it timed out',
  ECONNRESET: 'it broke the connection',
  EPIPE: 'it broke the connection',
  CONNECTION_CLOSED: 'it closed the connection',
  NOT_CONNECTED: 'it closed the connection',
  EACCES: 'its command may not be executed',
  ERR_PROXY_TUNNEL: 'the proxy on the way (HTTPS_PROXY) did not let the connection through',
  ERR_INVALID_URL: 'its url is no URL',
  CLIENT_HTTP_UNEXPECTED_CONTENT: 'what answers at its url is no MCP server',
};
