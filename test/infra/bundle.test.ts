import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleFunction } from '../../infra/bundle.ts';

const BUNDLE_MS = 120_000;

/** What a cold start reads before the first request; more than this is something that should load when it is needed. */
const MAX_EAGER_BYTES = 500_000;

/** A text that only this package's code has in it, by package. */
const MARKS = {
  yaml: 'Map keys must be unique',
  zod: 'ZodString',
  '@aws-sdk/client-s3': 'com.amazonaws.s3',
  '@aws-sdk/client-ssm': 'com.amazonaws.ssm',
  '@aws-sdk/client-secrets-manager': 'com.amazonaws.secretsmanager',
  '@modelcontextprotocol/client': 'StreamableHTTPClientTransport',
  '@cfworker/json-schema': 'Property "${',
};

/** The text of a module and of all it imports statically. */
function eagerText(folder: string, file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(join(folder, file), 'utf8');
  const imports = [...text.matchAll(/(?:from|import)"\.\/([\w.-]+\.mjs)"/g)].map((match) => match[1] ?? '');
  return text + imports.map((next) => eagerText(folder, next, seen)).join('');
}

describe('the bundle of the gateway', () => {
  it(
    'loads at the start only what every request needs',
    () => {
      const text = eagerText(bundleFunction('test-eager', { entry: 'functions/mcp.ts' }), 'index.mjs');
      expect(text.includes('com.amazonaws.dynamodb')).toBe(true);
      const loaded = Object.entries(MARKS).filter(([, mark]) => text.includes(mark));
      expect(loaded.map(([name]) => name)).toEqual([]);
      expect(text.length).toBeLessThan(MAX_EAGER_BYTES);
    },
    BUNDLE_MS,
  );
});
