import { beforeAll, describe, expect, it } from 'vitest';
import { createGoGuest } from '../../../wasm/go/create-guest.ts';
import { prepareGo } from '../../../wasm/go/prepare.ts';
import type { Guest } from '../../../wasm/guest.ts';
import { fakeBridge } from './fake-bridge.ts';

const MEMORY_BYTES = 64 << 20;
let guest: Guest;
beforeAll(async () => {
  guest = await createGoGuest(await prepareGo(MEMORY_BYTES));
});

/** What `Run`, with variables of several types at hand, gives. */
function value(body: string): unknown {
  const code = `package main

type S struct{ A int }

func (s S) M() int { return s.A }

func Run() (any, error) {
	var err error; var p *int; var m map[string]int; var s []int; var i any = 5; var u uint8 = 200
	x, y, f, t, b, st := 3, 4, 1.5, "t", true, S{2}
	_, _, _, _, _, _, _, _, _, _, _, _ = err, p, m, s, i, u, x, y, f, t, b, st
	${body}
}`;
  const limits = { memoryBytes: MEMORY_BYTES, allowThreads: false };
  const result = guest.run({ language: 'go', code }, [], limits, fakeBridge());
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.value === undefined ? undefined : JSON.parse(result.value);
}

describe('an operation in Go', () => {
  it.each([
    ['err == nil', true],
    ['nil != err', false],
    ['p == nil', true],
    ['m != nil', false],
    ['i == nil', false],
    ['x == 3', true],
    ['x < y', true],
    ['t == "t"', true],
    ['st == S{2}', true],
    ['i == 5', true],
    ['len(t) > 0', true],
    ['1 == 2', false],
    ['!b', false],
    ['!(x > y && b)', true],
    ['-x', -3],
    ['-f', -1.5],
    ['-(x + y)', -7],
    ['^x', -4],
    ['^u', 55],
    ['x << 2', 12],
    ['x >> 1', 1],
    ['y % x', 1],
    ['x + y', 7],
    ['t + t + "u"', 'ttu'],
    ['st.M() + 1', 3],
    ['len(s) + len(t)', 1],
    ['append(s, x)', [3]],
  ])('%s may be returned as any, alone or beside an error, and assigned', (operation, wanted) => {
    expect(value(`return ${operation}, nil`)).toEqual(wanted);
    expect(value(`g := func() any { return ${operation} }; return g(), nil`)).toEqual(wanted);
    expect(value(`var a any; a = ${operation}; return a, nil`)).toEqual(wanted);
    expect(value(`q := map[string]any{}; q["a"] = ${operation}; return q["a"], nil`)).toEqual(wanted);
    expect(value(`q := []any{0}; q[0] = ${operation}; return q, nil`)).toEqual([wanted]);
    expect(value(`q := struct{ V any }{}; q.V = ${operation}; return q.V, nil`)).toEqual(wanted);
  });

  it.each([
    ['(int, int)', 'len(t), len("abcd" + t)', [1, 5]],
    ['(any, int)', '"a", len("abcd" + t)', ['a', 5]],
    ['(any, []int)', '1, append(s, x)', [1, [3]]],
    ['(any, any)', 'x == 3, -x', [true, -3]],
    ['(int, any)', 'x + 1, x < y', [4, true]],
    ['(int64, bool)', '1 << u >> u, !b', [0, false]],
    ['(float64, string)', '2 * f, t + "!"', [3, 't!']],
    ['(a, c int)', 'x + y, -x', [7, -3]],
  ])('gives each of several results its own: %s as %s', (types, results, wanted) => {
    expect(value(`g := func() ${types} { return ${results} }; v, w := g(); return []any{v, w}, nil`)).toEqual(wanted);
  });

  it.each([
    ['v, w := 3, []int{1}', [3, [1]]],
    ['v, w := S{1}, 3', [{ A: 1 }, 3]],
    ['var v, w = map[string]int{"a": 1}, 3', [{ a: 1 }, 3]],
    ['var v S; var w int; w, v = 3, S{1}', [{ A: 1 }, 3]],
    ['var v, w int; v, w = st.M(), 3', [2, 3]],
    ['c := make(chan int, 1); c <- 9; v, w := <-c, 3', [9, 3]],
    ['c := make(chan int, 1); c <- 9; var v, w int; w, v = 3, <-c', [9, 3]],
    ['v, w := []int{1}, []int{2}; v, w = w, v', [[2], [1]]],
    ['var v, w any = 1, "a"; v, w = w, v', ['a', 1]],
    ['l := []any{1, "a"}; l[0], l[1] = l[1], l[0]; v, w := l[0], l[1]', ['a', 1]],
  ])('assigns every one of several: %s', (assignment, wanted) => {
    expect(value(`${assignment}; return []any{v, w}, nil`)).toEqual(wanted);
  });

  it('reads all named results before it writes any', () => {
    const swap = 'g := func() (a, c int) { a, c = 1, 2; return c, a }; v, w := g(); return []int{v, w}, nil';
    expect(value(swap)).toEqual([2, 1]);
    const sum = 'g := func() (a, c int) { a, c = 1, 2; return c, a + 10 }; v, w := g(); return []int{v, w}, nil';
    expect(value(sum)).toEqual([2, 11]);
  });
});
