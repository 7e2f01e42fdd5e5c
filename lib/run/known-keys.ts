import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import { shownName } from '../shown-name.ts';

/** Throws `invalid_arguments` for an argument that is none of `keys`, naming the nearest: ignoring it would mislead. */
export function refuseUnknownKeys(args: JsonObject, keys: readonly string[]): void {
  for (const key of Object.keys(args)) {
    if (keys.includes(key)) continue;
    const meant = nearest(key, keys);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    const all = keys.length === 0 ? 'it takes none' : `it takes ${keys.join(', ')}`;
    throw new CodeModeError('invalid_arguments', `there is no argument "${shownName(key)}"${advice} (${all})`);
  }
}
