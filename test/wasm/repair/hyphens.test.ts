import { describe, expect, it } from 'vitest';
import { meantByHyphens } from '../../../wasm/repair/hyphens.ts';

const functions = [
  { namespace: 'a', snake: 'get_sum', camel: 'GetSum' },
  { namespace: 'b', snake: 'x_y', camel: 'XY' },
];

describe('a name with hyphens', () => {
  it.each([
    ['a.get-sum({})', 'get', 1],
    ['x = a.get-sum ({})', 'sum', 5],
    ['a__get-sum"text"', 'a__get', 1],
    ['b.x-y(1) + a.get-sum(2)', 'sum', 12],
  ])('is found in %s where %s is unknown', (line, unknown, column) => {
    const found = meantByHyphens(line, unknown, functions, 'snake');
    expect(found).toMatchObject({ column, message: expect.stringContaining('→ a.get_sum ') });
  });

  it.each([
    ['a subtraction of what is known', 'a.get-sum(1); other(2)', 'other'],
    ['a subtraction with spaces', 'a.get - sum(1)', 'sum'],
    ['no function of ours', 'a.get-summ(1)', 'get'],
    ["another server's", 'b.get-sum(1)', 'get'],
    ['no call', 'a.get-sum', 'get'],
    ["another object's member", 'c.a.get-sum(1)', 'get'],
  ])('is not seen in %s', (_, line, unknown) => {
    expect(meantByHyphens(line, unknown, functions, 'snake')).toBeUndefined();
  });
});
