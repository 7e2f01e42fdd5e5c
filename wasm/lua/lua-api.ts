/** `LUA_REGISTRYINDEX`. */
export const REGISTRY = -1_001_000;
/** Key of the global table in the registry. */
export const GLOBALS = 2n;
/** `LUA_OK`. */
export const OK = 0;
/** What `lua_type` answers. */
export const TYPE = {
  none: -1,
  nil: 0,
  boolean: 1,
  light: 2,
  number: 3,
  string: 4,
  table: 5,
  function: 6,
  userdata: 7,
  thread: 8,
} as const;

/** The part of Lua's C interface that we use: plain numbers, and `bigint` where C has 64 bits. */
export interface LuaApi {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  malloc(bytes: number): number;
  setThrew(threw: number, value: number): void;
  stackSave(): number;
  stackRestore(pointer: number): void;
  luaL_newstate(): number;
  luaL_requiref(state: number, name: number, open: number, global: number): void;
  luaL_loadbufferx(state: number, text: number, size: number, name: number, mode: number): number;
  luaL_where(state: number, level: number): void;
  luaL_getmetafield(state: number, index: number, name: number): number;
  luaL_tolstring(state: number, index: number, length: number): number;
  luaL_ref(state: number, table: number): number;
  lua_absindex(state: number, index: number): number;
  lua_checkstack(state: number, slots: number): number;
  lua_createtable(state: number, items: number, fields: number): void;
  lua_error(state: number): number;
  lua_getinfo(state: number, what: number, record: number): number;
  lua_getstack(state: number, level: number, record: number): number;
  lua_getmetatable(state: number, index: number): number;
  lua_gettop(state: number): number;
  lua_isinteger(state: number, index: number): number;
  lua_isyieldable(state: number): number;
  lua_newuserdatauv(state: number, bytes: number, values: number): number;
  lua_next(state: number, index: number): number;
  lua_pcallk(state: number, args: number, results: number, handler: number, context: number, k: number): number;
  lua_pushboolean(state: number, value: number): void;
  lua_pushcclosure(state: number, fn: number, upvalues: number): void;
  lua_pushinteger(state: number, value: bigint): void;
  lua_pushlightuserdata(state: number, pointer: number): void;
  lua_pushlstring(state: number, text: number, size: number): number;
  lua_pushnil(state: number): void;
  lua_pushnumber(state: number, value: number): void;
  lua_pushvalue(state: number, index: number): void;
  lua_rawequal(state: number, a: number, b: number): number;
  lua_rawget(state: number, index: number): number;
  lua_rawgeti(state: number, index: number, key: bigint): number;
  lua_rawset(state: number, index: number): void;
  lua_rawseti(state: number, index: number, key: bigint): void;
  lua_rotate(state: number, index: number, by: number): void;
  lua_setmetatable(state: number, index: number): number;
  lua_settop(state: number, index: number): void;
  lua_toboolean(state: number, index: number): number;
  lua_tointegerx(state: number, index: number, isNumber: number): bigint;
  lua_tolstring(state: number, index: number, length: number): number;
  lua_tonumberx(state: number, index: number, isNumber: number): number;
  lua_topointer(state: number, index: number): number;
  lua_tothread(state: number, index: number): number;
  lua_type(state: number, index: number): number;
  lua_yieldk(state: number, results: number, context: number, k: number): number;
}
