import { beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../../../lib/sandbox/contract.ts';
import { createGoGuest } from '../../../wasm/go/create-guest.ts';
import { prepareGo } from '../../../wasm/go/prepare.ts';
import type { Guest } from '../../../wasm/guest.ts';
import { fakeBridge, hostFunctions } from './fake-bridge.ts';

const MEMORY_BYTES = 64 << 20;
let guest: Guest;
beforeAll(async () => {
  guest = await createGoGuest(await prepareGo(MEMORY_BYTES));
});

function run(code: string, more: Partial<Program> & { allowThreads?: boolean } = {}) {
  const { allowThreads = false, ...program } = more;
  const bridge = fakeBridge();
  const result = guest.run(
    { language: 'go', code, ...program },
    hostFunctions,
    { memoryBytes: MEMORY_BYTES, allowThreads },
    bridge,
  );
  return { ...result, printed: bridge.printed, calls: bridge.calls };
}

const value = (code: string, more?: Parameters<typeof run>[1]) => {
  const result = run(code, more);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.value === undefined ? undefined : JSON.parse(result.value);
};

describe('the entry', () => {
  it('may take nothing and return one value', () => {
    expect(value('func Run() any { return 42 }')).toBe(42);
  });

  it('may take the params as a map and return value and error', () => {
    const code = 'func Run(p map[string]any) (any, error) { return p["name"], nil }';
    expect(value(code, { params: '{"name":"Ada"}' })).toBe('Ada');
  });

  it('may take a struct filled from the params', () => {
    const code = 'type P struct { Name string `json:"name"` }\nfunc Run(p P) string { return p.Name }';
    expect(value(code, { params: '{"name":"Ada"}' })).toBe('Ada');
  });

  it('gives no value when it returns nothing, and null when it returns nil', () => {
    expect(value('func Run() {}')).toBeUndefined();
    expect(value('func Run() any { return nil }')).toBeNull();
  });

  it('may have another name, exported or not', () => {
    expect(value('func main2() any { return 1 }', { entry: 'main2' })).toBe(1);
  });

  it('is missed by name, with the functions there are', () => {
    expect(run('func run() {}\nfunc helper() {}')).toMatchObject({
      ok: false,
      code: 'entry_not_found',
      message: expect.stringMatching(/no function Run.*run, helper/),
    });
  });

  it('runs top-level code exactly once and never main', () => {
    const code = `import "fmt"
var n = say("variable")
func say(s string) int { fmt.Println(s); return 1 }
func init() { say("init") }
func main() { say("main") }
func Run() any { return n }`;
    expect(run(code)).toMatchObject({ ok: true, value: '1', printed: 'variable\ninit\n' });
  });
});

describe('a failure', () => {
  it('carries the text of a returned error', () => {
    expect(run('import "errors"\nfunc Run() (any, error) { return nil, errors.New("no luck") }')).toMatchObject({
      ok: false,
      code: 'runtime',
      message: 'no luck',
    });
  });

  it.each([
    ['errors.New("no luck")', 'no luck'],
    ['fmt.Errorf("step 2: %w", errors.New("no luck"))', 'step 2: no luck'],
  ])('is the error that a Run of one result returns: %s', (expression, message) => {
    const source = `import ("errors"; "fmt")\nvar _ = fmt.Sprint(errors.New(""))\nfunc Run() any { return ${expression} }`;
    expect(run(source)).toMatchObject({ ok: false, code: 'runtime', message });
  });

  it('is none where an error is only a part of the value', () => {
    const source = 'import "errors"\nfunc Run() any { return []any{errors.New("first"), 2} }';
    expect(run(source)).toMatchObject({ ok: true, value: '["first",2]' });
  });

  it('tells where a panic started, not where it passed', () => {
    const code = `package main

func pick(n int) int {
	xs := []int{1, 2, 3}
	return xs[n]
}

func Run() any {
	return pick(7)
}`;
    expect(run(code)).toMatchObject({
      ok: false,
      code: 'runtime',
      message: expect.stringMatching(/^index out of range/),
      line: 5,
      column: 9,
    });
  });

  it('keeps positions where the package clause is missing', () => {
    expect(run('func Run() any { return nope }')).toMatchObject({ code: 'syntax', line: 1, column: 25 });
    expect(run('func Run() any { x := }')).toMatchObject({ code: 'syntax', line: 1, column: 23 });
  });

  it('of a host function can be caught with its code, tool and text', () => {
    const code = `import ("errors"; "os")
func Run() any {
	_, err := os.ReadFile(map[string]any{"path": "/missing"})
	var failed *codemode.Error
	if errors.As(err, &failed) { return []string{failed.Code, failed.Tool, failed.Text} }
	return nil
}`;
    expect(value(code)).toEqual(['tool_failed', 'read_file', 'no such file: /missing']);
  });

  it('of a host function that is returned keeps its code', () => {
    const code = `import ("fmt"; "os")
func Run() (any, error) {
	_, err := os.ReadFile(map[string]any{"path": "/missing"})
	return nil, fmt.Errorf("reading: %w", err)
}`;
    expect(run(code)).toMatchObject({ code: 'tool_failed', message: 'reading: no such file: /missing' });
  });

  it('leaves nothing behind for the next run', () => {
    run('var xs [][]byte\nfunc Run() any { for { xs = append(xs, make([]byte, 1<<20)) } }');
    run('func f(n int) int { return f(n+1) }\nfunc Run() any { return f(0) }');
    expect(value('var n int\nfunc Run() any { n++; return n }')).toBe(1);
    expect(value('var n int\nfunc Run() any { n++; return n }')).toBe(1);
  });
});

describe('host functions', () => {
  it('shadow a standard package of the same name', () => {
    expect(value('import "math"\nfunc Run() (any, error) { return math.Add(map[string]any{"a": 2, "b": 3}) }')).toBe(5);
    expect(run('import "math"\nfunc Run() any { return math.Sqrt(4) }')).toMatchObject({
      code: 'function_not_found',
      line: 2,
    });
  });

  it('need no import and no argument', () => {
    expect(run('func Run() (any, error) { return os.List() }').calls).toEqual(['os.list {}']);
  });

  it('that do not exist are refused where they stand, before anything runs', () => {
    const result = run('import "os"\nfunc Run() any {\n\tos.List()\n\tos.RaedFile(nil)\n\treturn 1\n}');
    expect(result).toMatchObject({
      code: 'function_not_found',
      message: expect.stringMatching(/^there is no os.RaedFile/),
      line: 4,
      column: 5,
    });
    expect(result.calls).toHaveLength(1);
  });

  it('may not lose their error in silence', () => {
    expect(run('func Run() any { return os.List() }')).toMatchObject({
      code: 'syntax',
      message: expect.stringContaining('v, err := os.List'),
    });
  });
});

describe('calls at the same time', () => {
  it('by codemode.Parallel take as long as the slowest and keep their order', () => {
    const code = `func Run() (any, error) {
	var calls []func() (any, error)
	for i := range 10 {
		calls = append(calls, func() (any, error) {
			if _, err := slow.Wait(map[string]any{"ms": 60 - i}); err != nil { return nil, err }
			return i, nil
		})
	}
	return codemode.Parallel(calls...)
}`;
    const start = performance.now();
    expect(value(code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // One after another would take 555 ms.
    expect(performance.now() - start).toBeLessThan(400);
  });

  it('fail with the first error in the order written', () => {
    const code = `import "errors"
func Run() (any, error) {
	return codemode.Parallel(
		func() (any, error) { return 1, nil },
		func() (any, error) { slow.Wait(map[string]any{"ms": 10}); return nil, errors.New("second") },
		func() (any, error) { return nil, errors.New("third") },
	)
}`;
    expect(run(code)).toMatchObject({ ok: false, message: 'second' });
  });

  it('by goroutines work where they are allowed, and are refused with advice where not', () => {
    const code = `import "sync"
func Run() any {
	var wg sync.WaitGroup
	got := make([]any, 3)
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); got[i], _ = math.Add(map[string]any{"a": i, "b": 1}) }()
	}
	wg.Wait()
	return got
}`;
    expect(value(code, { allowThreads: true })).toEqual([1, 2, 3]);
    expect(run(code)).toMatchObject({ code: 'syntax', line: 7, message: expect.stringContaining('codemode.Parallel') });
  });

  it('let sleepers wake while a call is under way', () => {
    const code = `import "time"
func Run() (any, error) {
	return codemode.Parallel(
		func() (any, error) { _, err := slow.Wait(map[string]any{"ms": 60}); console.Log("called"); return nil, err },
		func() (any, error) { time.Sleep(10 * time.Millisecond); console.Log("slept"); return nil, nil },
	)
}`;
    expect(run(code).printed).toBe('slept\ncalled\n');
  });

  it('that can never continue are told so', () => {
    const code = 'func Run() any {\n\tc := make(chan int)\n\tgo func() { os.List() }()\n\treturn <-c\n}';
    expect(run(code, { allowThreads: true })).toMatchObject({
      code: 'runtime',
      message: expect.stringContaining('deadlock'),
    });
  });
});

describe('a restored guest', () => {
  it('has fresh randomness every run', () => {
    const code = `import "math/rand"
func Run() any {
	keys := ""
	for k := range map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1} { keys += k }
	return []any{rand.Int63(), keys}
}`;
    const runs = Array.from({ length: 8 }, () => value(code) as [number, string]);
    expect(new Set(runs.map(([number]) => number)).size).toBe(8);
    expect(new Set(runs.map(([, keys]) => keys)).size).toBeGreaterThan(1);
  });

  it('has the true time', () => {
    const seconds = value('import "time"\nfunc Run() any { return time.Now().UnixMilli() }') as number;
    expect(Math.abs(seconds - Date.now())).toBeLessThan(10_000);
  });

  it('starts from the same snapshot in a second guest of the same kit', async () => {
    const kit = await prepareGo(MEMORY_BYTES);
    const [first, second] = [await createGoGuest(kit), await createGoGuest(kit)];
    for (const own of [first, second]) {
      expect(
        own.run(
          { language: 'go', code: 'func Run() any { return 1 }' },
          [],
          { memoryBytes: MEMORY_BYTES, allowThreads: false },
          fakeBridge(),
        ),
      ).toEqual({
        ok: true,
        value: '1',
      });
    }
  });
});

describe('a source', () => {
  it('may stand in a markdown fence, with the lines counted as written', () => {
    expect(run('```go\nfunc Run() any {\n\treturn nope\n}\n```')).toMatchObject({
      code: 'syntax',
      line: 3,
      column: 9,
      message: 'undefined: nope\n3 |  return nope\n  |         ^',
    });
  });

  it.each([
    [
      'a conversion of a result',
      'import "os"\nfunc Run() any { d, _ := os.List(nil); return string(d) }',
      'v.(string)',
    ],
    [
      'a result returned as text',
      'import "os"\nfunc Run() string { d, _ := os.List(nil); return d }',
      'is no string: assert',
    ],
    [
      'arithmetic on a result',
      'import "math"\nfunc Run() any { d, _ := math.Add(nil); return d + 1 }',
      'not defined on any: assert',
    ],
    ['a field of a result', 'import "os"\nfunc Run() any { d, _ := os.List(nil); return d.Content }', '["content"]'],
    [
      'a result as a map of texts',
      'import "os"\nfunc Run() any { r, _ := os.ReadFile(map[string]any{}); m := r.(map[string]string); return m }',
      'map[string]any, not a map[string]string',
    ],
    ["a direct tool's name", 'func Run() any { v, _ := os__read_file(nil); return v }', 'os__read_file → os.ReadFile'],
  ])('that uses %s is told what to change', (_, code, advice) => {
    const result = run(code, { params: '{"m":{}}' });
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(advice) });
  });

  it('counts columns in characters, not bytes', () => {
    expect(run('func Run() any { _ = "жук🐞"; return nope }')).toMatchObject({ line: 1, column: 38 });
  });
});
