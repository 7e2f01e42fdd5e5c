import type { GoKit } from './go/kit.ts';
import type { Guest } from './guest.ts';
import type { JavascriptKit } from './javascript/prepare-javascript.ts';
import type { LuaKit } from './lua/module.ts';

/** How a worker makes the guest it is to be; loaded only there. */
export const GUESTS: Record<string, (kit: unknown) => Promise<Guest>> = {
  javascript: async (kit) => (await import('./javascript/guest.ts')).createGuest(kit as JavascriptKit),
  typescript: async (kit) => (await import('./javascript/typescript.ts')).createGuest(kit as JavascriptKit),
  go: async (kit) => (await import('./go/create-guest.ts')).createGoGuest(kit as GoKit),
  lua: async (kit) => (await import('./lua/guest.ts')).createLuaGuest(kit as LuaKit),
};
