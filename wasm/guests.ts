import type { GoKit } from './go/kit.ts';
import type { CreateGuest } from './guest.ts';
import type { JavascriptKit } from './javascript/prepare-javascript.ts';
import type { LuaKit } from './lua/module.ts';

/** Loads what makes the guest a worker is to be; only there. */
export const GUESTS: Record<string, () => Promise<CreateGuest<unknown>>> = {
  javascript: async () => taking<JavascriptKit>((await import('./javascript/guest.ts')).createGuest),
  typescript: async () => taking<JavascriptKit>((await import('./javascript/typescript.ts')).createGuest),
  go: async () => taking<GoKit>((await import('./go/create-guest.ts')).createGoGuest),
  lua: async () => taking<LuaKit>((await import('./lua/guest.ts')).createLuaGuest),
};

/** The main thread sends the kit that `LANGUAGES` prepares for the same key. */
function taking<Kit>(create: CreateGuest<Kit>): CreateGuest<unknown> {
  return (kit) => create(kit as Kit);
}
