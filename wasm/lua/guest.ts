import type { CreateGuest, GuestResult } from '../guest.ts';
import { createRandomness } from '../randomness.ts';
import { stripFences } from '../repair/fences.ts';
import { createInterpreter } from './interpreter.ts';
import { OK } from './lua-api.ts';
import type { LuaKit } from './module.ts';
import { runScript } from './script.ts';
import { readSource } from './source.ts';
import { createVerdict, OUT_OF_MEMORY, type Run } from './verdict.ts';

/** Lua 5.4 as a guest: no JavaScript object is in it, only C functions that take and give texts and numbers. */
export const createLuaGuest: CreateGuest<LuaKit> = async (kit) => {
  const random = createRandomness();
  let run: Run;
  /** All of a run: inside a C function, so that running out of memory anywhere unwinds to its caller. */
  let script: () => GuestResult;
  let result: GuestResult;

  const start = () => {
    const started = createInterpreter(
      kit,
      {
        main: () => {
          result = script();
          return 0;
        },
        handler: (state) => {
          run.errorLine = started.stack.line(state);
          return 1;
        },
        text: (state) => {
          started.api.luaL_tolstring(state, 1, 0);
          return 1;
        },
      },
      random,
    );
    started.machine.onRefusal(() => {
      run.tooDeep = started.stack.isDeep(started.state());
    });
    return started;
  };
  let interpreter = start();
  let broken = false;

  return {
    run(program, functions, _limits, bridge) {
      const { code, lineOffset } = stripFences(program.code);
      run = { source: { whole: program.code, ...readSource(code), lineOffset }, errorLine: 0, tooDeep: false };
      script = () => runScript(interpreter, program, run, random);
      const { api, calls, machine, output } = interpreter;
      const state = interpreter.state();
      calls.begin(functions, bridge);
      output.begin(bridge);
      const verdict = createVerdict(interpreter, run);
      try {
        api.lua_pushcclosure(state, machine.table.main, 0);
        const status = api.lua_pcallk(state, 0, 0, 0, 0, 0);
        if (status === OUT_OF_MEMORY) result = verdict.outOfMemory();
        else if (status !== OK) result = verdict.failWith(state, -1);
      } catch (thrown) {
        if (!(thrown instanceof RangeError)) throw thrown;
        // The thread's own stack ended before Lua's limits did.
        broken = true;
        result = verdict.fail('runtime', { text: 'stack overflow' });
      }
      output.flush();
      return result;
    },
    reset() {
      if (broken || !interpreter.renew()) interpreter = start();
      broken = false;
      return true;
    },
  };
};
