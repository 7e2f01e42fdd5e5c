import { readFileSync } from 'node:fs';
import type { Config } from '../lib/config/schema.ts';

/** The file's name beside a function's bundle. */
export const CONFIG_FILE = 'config.json';

/** The configuration that synth has checked and completed; not checked again, which would cost start-up time. */
export function readRuntimeConfig(): Config {
  return JSON.parse(readFileSync(new URL(`./${CONFIG_FILE}`, import.meta.url), 'utf8')) as Config;
}
