import { CodeModeError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Language } from '../sandbox/contract.ts';
import { shownName } from '../shown-name.ts';
import { refuseUnknownKeys } from './known-keys.ts';

/** The languages `execute_code` takes (CONTRACT, "Tools"). */
export const LANGUAGES: readonly Language[] = ['javascript', 'typescript', 'lua', 'go'];

/** Names of stored code (reference: `[a-zA-Z0-9_-]{1,64}`). */
const CODE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Arguments of `execute_code`, checked. */
export interface ExecuteRequest {
  language?: Language;
  code?: string;
  entry?: string;
  params?: Json;
  name?: string;
  description?: string;
  instructions?: string;
}

const STRINGS = ['language', 'code', 'entry', 'name', 'description', 'instructions'] as const;

/** All arguments of `execute_code`. */
export const EXECUTE_KEYS: readonly string[] = [...STRINGS, 'params'];

/** Reads the arguments of `execute_code`; throws `invalid_arguments`. Blank texts count as absent, as models send them. */
export function readExecuteRequest(args: JsonObject): ExecuteRequest {
  refuseUnknownKeys(args, EXECUTE_KEYS);
  const request: Record<string, Json> = {};
  for (const key of STRINGS) {
    const value = args[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw invalid(`${key} must be a string, not ${typeof value}`);
    if (value.trim() === '') continue;
    request[key] = value;
  }
  const params = readParams(args.params);
  if (params) request.params = params;
  if (request.language !== undefined) request.language = readLanguage(request.language as string);
  if (request.name !== undefined) checkCodeName(request.name as string);
  if (request.entry !== undefined) checkEntry(request.entry as string);
  return request as ExecuteRequest;
}

/** The params, which models often send as JSON text; null and blank text count as absent. Throws `invalid_arguments`. */
function readParams(given: Json | undefined): JsonObject | undefined {
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) return undefined;
  const params = typeof given === 'string' ? parsed(given) : given;
  if (isJsonObject(params)) return params;
  throw invalid('params must be an object, as in {"path": "/tmp"}: it is the only argument of the entry');
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A language by its name or a usual short form; throws `invalid_arguments`. */
export function readLanguage(text: string): Language {
  const short: Record<string, Language> = { js: 'javascript', ts: 'typescript', golang: 'go' };
  const name = text.toLowerCase();
  const language = short[name] ?? LANGUAGES.find((candidate) => candidate === name);
  if (!language) throw invalid(`language must be one of ${LANGUAGES.join(', ')}, not "${shownName(text)}"`);
  return language;
}

/** Throws `invalid_arguments` for a name that stored code cannot have. */
export function checkCodeName(name: string): void {
  if (CODE_NAME.test(name)) return;
  throw invalid('name must be 1 to 64 letters, digits, "_" or "-"');
}

/** Throws `invalid_arguments` for an entry longer than any error repeats a name: it would come back in one. */
function checkEntry(entry: string): void {
  if (shownName(entry) !== entry) throw invalid(`entry must be the name of a function, not "${shownName(entry)}"`);
}

function invalid(message: string): CodeModeError {
  return new CodeModeError('invalid_arguments', message);
}
