import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths (from `root`, with forward slashes) of the TypeScript files below these folders. */
export function sourceFiles(root: string, folders: string[]): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name === 'node_modules') continue;
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.name.endsWith('.ts')) found.push(path);
    }
  };
  for (const folder of folders) if (existsSync(join(root, folder))) walk(folder);
  return found.sort();
}

/** The module specifiers a TypeScript source imports or re-exports, static and dynamic. */
export function importsOf(source: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)(['"])([^'"\n]+)\1/g;
  return [...source.matchAll(pattern)].map((match) => match[2] ?? '');
}
