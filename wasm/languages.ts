import type { Language } from '../lib/sandbox/contract.ts';

/** A language as the pool sees it. */
export interface LanguageEntry {
  /** Key of `GUESTS`: what a worker for it becomes. */
  guest: string;
  /** Makes the kit for a memory limit, loading the language's code only when it is first wanted. */
  prepare(memoryBytes: number): Promise<unknown>;
}

/** Every language there is; `lib/config` decides which are enabled. */
export const LANGUAGES: Partial<Record<Language, LanguageEntry>> = {
  javascript: {
    guest: 'javascript',
    prepare: async (memoryBytes) => (await import('./javascript/prepare-javascript.ts')).prepareJavascript(memoryBytes),
  },
  typescript: {
    guest: 'typescript',
    prepare: async (memoryBytes) => (await import('./javascript/prepare-javascript.ts')).prepareJavascript(memoryBytes),
  },
  lua: {
    guest: 'lua',
    prepare: async (memoryBytes) => (await import('./lua/module.ts')).prepareLuaKit(memoryBytes),
  },
  go: {
    guest: 'go',
    prepare: async (memoryBytes) => (await import('./go/prepare.ts')).prepareGo(memoryBytes),
  },
};
