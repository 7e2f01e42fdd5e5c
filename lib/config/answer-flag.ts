import { readFileSync } from 'node:fs';
import { HELP, parseCommandLine } from './command-line.ts';
import { ConfigError, type ConfigSources, loadConfig } from './load.ts';
import { summarize } from './summary.ts';

/** The answer to a flag that asks instead of starting; the text goes to stderr where `exitCode` is not 0. */
export interface FlagAnswer {
  text: string;
  exitCode: number;
}

/** Problems as a process ends with them: one line each. */
export function problemsText(error: ConfigError): string {
  return `${error.problems.map((problem) => `error: ${problem}`).join('\n')}\n`;
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Answers `--help`, `--version` and `--check-config`; undefined where the gateway is to run. */
export function answerFlag(sources: ConfigSources): FlagAnswer | undefined {
  const { mode } = parseCommandLine(sources.argv);
  if (mode === 'run') return undefined;
  if (mode === 'help') return { text: HELP, exitCode: 0 };
  if (mode === 'version') return { text: `${ownVersion()}\n`, exitCode: 0 };
  try {
    return { text: summarize(loadConfig(sources)), exitCode: 0 };
  } catch (error) {
    if (error instanceof ConfigError) return { text: problemsText(error), exitCode: 1 };
    throw error;
  }
}
