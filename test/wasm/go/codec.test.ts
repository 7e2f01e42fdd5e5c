import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createGoGuest } from '../../../wasm/go/create-guest.ts';
import { prepareGo } from '../../../wasm/go/prepare.ts';
import type { Bridge, Guest } from '../../../wasm/guest.ts';

const MEMORY_BYTES = 64 << 20;
const echo = [{ namespace: 'echo', snake: 'back', camel: 'Back' }];
let guest: Guest;
beforeAll(async () => {
  guest = await createGoGuest(await prepareGo(MEMORY_BYTES));
});

/** Runs Go; `echo.Back` gives its argument back. */
function run(code: string, params = '{}') {
  let text = '';
  const settled = () => ({ id: 1, ok: true, text });
  const bridge: Bridge = {
    start(_, args) {
      text = args;
      return 1;
    },
    wait: settled,
    waitFor: settled,
    log: () => {},
  };
  return guest.run({ language: 'go', code, params }, echo, { memoryBytes: MEMORY_BYTES, allowThreads: false }, bridge);
}

const value = (expression: string, types = '') => {
  const result = run(`${types}\nfunc Run() any { return ${expression} }`);
  return result.ok ? result.value : `${result.code}: ${result.message.split('\n')[0]}`;
};

describe('a JSON value', () => {
  const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

  it('comes back as it went in, as params and result', () => {
    fc.assert(
      fc.property(json, (sent) => {
        const text = JSON.stringify(sent);
        // A null argument reads as "no params", which an entry of type any sees as an empty object.
        fc.pre(text !== 'null');
        const result = run('func Run(p any) any { return p }', text);
        expect(result).toMatchObject({ ok: true });
        if (result.ok) expect(JSON.parse(result.value!)).toEqual(JSON.parse(text));
      }),
      { numRuns: 150 },
    );
  });

  it('comes back as it went in, as argument and answer of a host function', () => {
    fc.assert(
      fc.property(json, (sent) => {
        const text = JSON.stringify({ sent });
        const result = run('func Run(p map[string]any) (any, error) { return echo.Back(p) }', text);
        expect(result).toMatchObject({ ok: true });
        if (result.ok) expect(JSON.parse(result.value!)).toEqual(JSON.parse(text));
      }),
      { numRuns: 150 },
    );
  });
});

describe('a Go value becomes', () => {
  it.each([
    ['nil', 'null'],
    ['true', 'true'],
    ['42', '42'],
    ['0.1', '0.1'],
    ['1e21', '1e+21'],
    ['int64(9007199254740993)', '9007199254740993'],
    ['uint64(18446744073709551615)', '18446744073709551615'],
    ["'a'", '97'],
    ['math.NaN()', 'null'],
    ['math.Inf(-1)', 'null'],
    ['"<é>\\n\\""', '"<é>\\n\\""'],
    ['[]byte("hi")', '"aGk="'],
    ['[]byte(nil)', 'null'],
    ['[2]int{1, 2}', '[1,2]'],
    ['[]string{}', '[]'],
    ['[]string(nil)', 'null'],
    ['map[string]int{"b": 1, "a": 2}', '{"a":2,"b":1}'],
    ['map[int]bool{2: true}', '{"2":true}'],
    ['map[any]any{"k": 1.5}', '{"k":1.5}'],
    ['time.Unix(0, 0).UTC()', '"1970-01-01T00:00:00Z"'],
    ['time.Second', '1000000000'],
    ['big.NewInt(0).Exp(big.NewInt(2), big.NewInt(70), nil)', '1180591620717411303424'],
    ['[]any{errors.New("text")}', '["text"]'],
    ['json.RawMessage(`{"a":1}`)', '{"a":1}'],
    ['json.Number("12.50")', '12.50'],
    ['struct{ A int; b int }{1, 2}', '{"A":1}'],
    ['&struct { A any `json:"a,omitempty"`; B string `json:"-"` }{}', '{}'],
    ['func() {}', 'runtime: the returned value cannot be sent: a func has no JSON form'],
    ['make(chan int)', 'runtime: the returned value cannot be sent: a chan has no JSON form'],
    ['complex(1, 2)', 'runtime: the returned value cannot be sent: a complex128 has no JSON form'],
  ])('%s → %s', (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });

  it('an object with the names its tags give, nested types included', () => {
    const types =
      'type Item struct { Name string `json:"name"`; Price *float64 `json:"price"` }\ntype Cart struct { Items []Item `json:"items"` }';
    expect(value('Cart{Items: []Item{{Name: "x"}}}', types)).toBe('{"items":[{"name":"x","price":null}]}');
  });

  it('an error that says so when it contains itself', () => {
    expect(value('loop()', 'func loop() any { m := map[string]any{}; m["a"] = []any{m}; return m }')).toContain(
      'contains itself',
    );
  });
});
