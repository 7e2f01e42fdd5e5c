import { describe, expect, it } from 'vitest';
import type { HostFunction } from '../../../lib/sandbox/contract.ts';
import { createLuaGuest } from '../../../wasm/lua/guest.ts';
import { prepareLuaKit } from '../../../wasm/lua/module.ts';
import { openGuest } from './support.ts';

const run = await openGuest();

function value(code: string, params?: string): unknown {
  const result = run(code, params);
  if (!result.ok) throw new Error(result.message);
  return JSON.parse(result.value!);
}

describe('json in Lua', () => {
  it('reads and writes text as values cross to the host and back', () => {
    const text = '{"a":[1,2.5,null,"é"],"b":{"c":true},"e":[],"n":12345678901234567}';
    expect(value('return json.encode(json.decode(params.text))', JSON.stringify({ text }))).toBe(text);
    expect(value('return json.decode(\'{"list": [10, 20]}\').list[2]')).toBe(20);
    expect(value('return {json.encode({}), json.encode(array({})), json.encode("x"), json.encode(nil)}')).toEqual([
      '{}',
      '[]',
      '"x"',
      'null',
    ]);
  });

  it.each([
    ['text that is not JSON', 'json.decode("{a")', 'json.decode: the text is not JSON'],
    ['an empty text', 'json.decode("")', 'json.decode: the text is not JSON'],
    ['a table', 'json.decode({})', 'results of functions are decoded already'],
    ['nothing', 'json.decode()', 'json.decode takes text and was given nil'],
    ['text nested without end', 'json.decode(("["):rep(1e5) .. ("]"):rep(1e5))', 'nested more than'],
    ['such text with a long number', 'json.decode(("["):rep(1e5) .. "12345678901234567" .. ("]"):rep(1e5))', 'nested'],
    ['text that is too long', 'json.decode("[" .. ("[],"):rep(2e6) .. "1]")', 'json.decode takes at most'],
    ['a function', 'json.encode(print)', 'json.encode: a function cannot be passed out'],
    ['a cycle', '(function() local t = {} t.t = t return json.encode(t) end)()', 'the table contains itself'],
  ])('raises an error of the script for %s', (_, expression, part) => {
    const result = run(`local x = 1\nlocal r = ${expression}\nreturn r`);
    expect(result).toMatchObject({ ok: false, code: 'runtime', line: 2 });
    expect(!result.ok && result.message).toContain(part);
    expect(value(`local ok, e = pcall(function() return ${expression} end)\nreturn {ok, type(e)}`)).toEqual([
      false,
      'string',
    ]);
  });

  it('suggests the nearest of its two names', () => {
    const result = run('return json.decoded("1")');
    expect(!result.ok && result.message).toContain('did you mean json.decode?');
  });

  it('shares its table with a server of that name, whose functions win', async () => {
    const functions: readonly HostFunction[] = [{ namespace: 'json', snake: 'encode', camel: 'Encode' }];
    const memoryBytes = 64 * 1024 * 1024;
    const guest = await createLuaGuest(await prepareLuaKit(memoryBytes));
    const settled = { id: 1, ok: true, text: '"of the server"' };
    const code = 'return {json.encode({}), json.decode("5")}';
    const result = guest.run(
      { language: 'lua', code },
      functions,
      { memoryBytes, allowThreads: false },
      {
        start: () => 1,
        wait: () => settled,
        waitFor: () => settled,
        log: () => {},
      },
    );
    expect(result).toMatchObject({ ok: true, value: '["of the server",5]' });
  });
});
