/**
 * The few functions of the QuickJS build we call, by the names its linker shortened them to. They belong to the exact
 * version of `quickjs-emscripten` in package.json (its release-sync build): a test compares with that build's own loader.
 */
export const ENGINE_EXPORTS = {
  initialize: 'u',
  malloc: 'v',
  QTS_Throw: 'w',
  QTS_RuntimeSetMaxStackSize: 'D',
  QTS_GetUndefined: 'E',
  QTS_NewRuntime: 'K',
  free: 'M',
  QTS_NewContext: 'N',
  QTS_FreeValuePointer: 'P',
  QTS_FreeCString: 'S',
  QTS_NewFloat64: 'Y',
  QTS_GetFloat64: 'Z',
  QTS_NewString: '_',
  QTS_GetString: '$',
  QTS_ExecutePendingJob: 'ga',
  QTS_Call: 'ma',
  QTS_ResolveException: 'na',
  QTS_Eval: 'pa',
  QTS_PromiseState: 'wa',
  QTS_PromiseResult: 'xa',
  QTS_NewFunction: 'Da',
  stackRestore: 'Ma',
  stackSave: 'Oa',
} as const;

/** The imports that matter; every other one is answered with nothing. */
export const ENGINE_IMPORTS = {
  memory: 'a',
  resizeHeap: 'k',
  localTime: 'm',
  now: 'p',
  callFunction: 's',
} as const;
