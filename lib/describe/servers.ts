import { CodeModeError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { reasonAway } from '../reason-away.ts';
import type { CatalogueServer, CatalogueView } from '../registry/contract.ts';
import { shownName } from '../shown-name.ts';
import { cutAtSentence, safeLine } from './safe-text.ts';

/** Of a server's error in a notice, characters. */
const ERROR_CHARS = 120;

/**
 * The server meant by its name, alias or namespace. Throws `invalid_arguments` for an unknown one, with the nearest
 * and all that there are.
 */
export function findServer(view: CatalogueView, wanted: string): CatalogueServer {
  const found = view.servers.find(
    ({ server, alias, namespace }) => server === wanted || alias === wanted || namespace === wanted,
  );
  if (found) return found;
  const names = view.servers.flatMap(({ server, namespace }) => [namespace, server]);
  const close = nearest(wanted, names);
  const all = [...new Set(view.servers.map(({ namespace }) => namespace))].join(', ');
  const hint = close ? ` Did you mean "${close}"?` : '';
  throw new CodeModeError(
    'invalid_arguments',
    `There is no server "${safeLine(shownName(wanted))}".${hint} ${all ? `Servers: ${all}.` : 'No server is configured.'}`,
  );
}

/** Says of every server that cannot be called now, or whose list is old, so that nothing looks missing. */
export function serverNotices(servers: readonly CatalogueServer[]): string[] {
  return servers.flatMap(({ server, namespace, state, error }) => {
    const name = `${namespace} (server ${safeLine(server)})`;
    if (state === 'connecting') return [`${name} is still connecting: its functions are not listed yet, ask again.`];
    const why = error ? `: ${cutAtSentence(safeLine(reasonAway(server, error)), ERROR_CHARS).replace(/\.$/, '')}` : '';
    if (state === 'failed') return [`${name} cannot be reached${why}. Its functions are not available now.`];
    if (state === 'stale') return [`${name} cannot be reached now${why}. Its functions are from an earlier listing.`];
    return [];
  });
}
