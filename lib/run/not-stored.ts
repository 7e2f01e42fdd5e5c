import type { Caller } from '../access/caller.ts';
import { CodeModeError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import type { RunServices } from './services.ts';
import { scopeOf, storeOf } from './stored-code.ts';

/** The `code_not_found` for a name that is to run and is not kept, with the nearest script the caller can run. */
export async function notStored(services: RunServices, caller: Caller, name: string): Promise<CodeModeError> {
  // A store that cannot list must not hide what is wrong with the name.
  const kept = await storeOf(services)
    .list(scopeOf(services, caller))
    .catch(() => []);
  const near = nearest(
    name,
    kept.filter(({ hasCode }) => hasCode).map((record) => record.name),
  );
  const hint = near === undefined ? '' : `did you mean "${near}"? `;
  return new CodeModeError('code_not_found', `no code is stored as "${name}": ${hint}list_code shows what is`);
}
