import type { Language } from '../sandbox/contract.ts';
import type { Tool } from '../tool.ts';
import type { Dialect } from './dialect.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { lua } from './lua.ts';
import { typescript } from './typescript.ts';

const DIALECTS: Record<Language, Dialect> = { javascript, typescript, lua, go };

/** How a language is written about. */
export function dialectOf(language: Language): Dialect {
  return DIALECTS[language];
}

/** One function in a language's own syntax, on one line with its description, server and tool. */
export function signatureOf(tool: Tool, language: Language): string {
  return dialectOf(language).signature(tool);
}
