import { CodeModeError } from '../errors.ts';
import type { Language } from '../sandbox/contract.ts';
import type { RunServices } from './services.ts';

/** The language meant where none is named: JavaScript, else the first one enabled. */
export function defaultLanguage({ config }: Pick<RunServices, 'config'>): Language {
  return config.languages.includes('javascript') ? 'javascript' : config.languages[0]!;
}

/** The language, or `language_disabled`; TypeScript goes with JavaScript. */
export function enabled({ config }: Pick<RunServices, 'config'>, language: Language): Language {
  const needed = language === 'typescript' ? 'javascript' : language;
  if (config.languages.includes(needed)) return language;
  const allowed = config.languages.flatMap((name) => (name === 'javascript' ? [name, 'typescript'] : [name]));
  throw new CodeModeError('language_disabled', `${language} is not enabled here: use ${allowed.join(', ')}`);
}
