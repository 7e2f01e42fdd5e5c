import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { codeStoreContract } from './contract.ts';

const root = mkdtempSync(join(tmpdir(), 'code-store-'));
afterAll(() => rmSync(root, { recursive: true }));

let count = 0;
const freshDir = () => join(root, `store-${count++}`);

codeStoreContract('the directory store', async (bounds) => {
  const dir = freshDir();
  return [createDirectoryStore(dir, bounds), createDirectoryStore(dir, bounds)];
});
