import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DIRECT_NAME, nameTools, type ToolNames } from '../../lib/registry/names.ts';

function namesOf(namespace: string, originals: string[]): Map<string, ToolNames> {
  const { names } = nameTools(namespace, originals);
  return new Map(originals.flatMap((original, i) => (names[i] ? [[original, names[i]] as const] : [])));
}

/** Names as servers really choose them, and as they never should. */
const original = fc.oneof(
  fc.stringMatching(/^[a-z]{1,6}([_-][a-z0-9]{1,5}){0,3}$/),
  fc.stringMatching(/^[A-Za-z0-9_.\-/ ]{1,80}$/),
  fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  fc.constantFrom(
    'get-x',
    'get_x',
    'getX',
    'GET X',
    '__proto__',
    'constructor',
    'end',
    '3d',
    'инструмент',
    '工具',
    '-',
  ),
);
const originals = fc.uniqueArray(original, { minLength: 1, maxLength: 40 });
const namespace = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,70}$/);

describe('the names of tools', () => {
  it.each([
    ['read_file', 'read_file', 'ReadFile', 'os__read_file'],
    ['API-get-user', 'api_get_user', 'ApiGetUser', 'os__API-get-user'],
    ['getHTTPUser', 'get_http_user', 'GetHttpUser', 'os__getHTTPUser'],
    ['browser.close', 'browser_close', 'BrowserClose', 'os__browser_close'],
    ['end', 'end_', 'End', 'os__end'],
    ['delete', 'delete_', 'Delete', 'os__delete'],
    ['3d_render', '_3d_render', 'X3dRender', 'os__3d_render'],
    ['__proto__', 'proto', 'Proto', 'os____proto__'],
  ])('are made of %s', (from, snakeName, camelName, directName) => {
    expect(namesOf('os', [from]).get(from)).toEqual({ snakeName, camelName, directName });
  });

  it('carry a hash where nothing of the original can be kept', () => {
    expect(namesOf('os', ['工具']).get('工具')).toEqual({
      snakeName: expect.stringMatching(/^tool_[0-9a-f]{8}$/),
      camelName: expect.stringMatching(/^Tool[0-9a-f]{8}$/),
      directName: expect.stringMatching(/^os__tool_[0-9a-f]{8}$/),
    });
  });

  it('leave the plain name to the tool that had it from the start', () => {
    const names = namesOf('os', ['get-x', 'get_x', 'getX']);
    expect(names.get('get_x')?.snakeName).toBe('get_x');
    expect(names.get('get-x')?.snakeName).toMatch(/^get_x_[0-9a-f]{8}$/);
    expect(names.get('getX')?.snakeName).toMatch(/^get_x_[0-9a-f]{8}$/);
  });

  it('are reported when a tool is listed twice', () => {
    const { names, warnings } = nameTools('os', ['echo', 'echo']);
    expect(names.map((name) => name?.snakeName)).toEqual(['echo', undefined]);
    expect(warnings).toEqual([{ tool: 'echo', text: 'The tool "echo" is listed more than once; the first is used.' }]);
  });

  it('are not given, and reported, where they cannot be told apart', () => {
    const taken = namesOf('os', ['get_x', 'get-x']).get('get-x')?.snakeName ?? '';
    const { names, warnings } = nameTools('os', ['get_x', 'get-x', taken]);
    expect(names.map((name) => name?.snakeName)).toEqual(['get_x', undefined, undefined]);
    expect(warnings.map(({ tool }) => tool)).toEqual(['get-x', taken]);
  });

  it('are valid, short enough and unique for any tools', () => {
    fc.assert(
      fc.property(namespace, originals, (space, tools) => {
        const names = [...namesOf(space, tools).values()];
        for (const { snakeName, camelName, directName } of names) {
          expect(snakeName).toMatch(/^[a-z_][a-z0-9_]*$/);
          expect(camelName).toMatch(/^[A-Z][A-Za-z0-9_]*$/);
          expect(directName).toMatch(/^[A-Za-z0-9_-]+$/);
          expect(directName.length).toBeLessThanOrEqual(MAX_DIRECT_NAME);
        }
        for (const kind of ['snakeName', 'camelName', 'directName'] as const) {
          expect(new Set(names.map((name) => name[kind])).size).toBe(names.length);
        }
      }),
    );
  });

  it('do not depend on the order in which tools are listed', () => {
    fc.assert(
      fc.property(
        originals.chain((tools) =>
          fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length })),
        ),
        ([tools, shuffled]) => {
          const byName = (names: Map<string, ToolNames>) => [...names].sort(([a], [b]) => (a < b ? -1 : 1));
          expect(byName(namesOf('os', shuffled))).toEqual(byName(namesOf('os', tools)));
        },
      ),
    );
  });

  it('are all given for ordinary tools: only twins and hash collisions are left out', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}(_[a-z]{1,5}){0,3}$/), { maxLength: 60 }), (tools) => {
        expect(nameTools('os', tools).warnings).toEqual([]);
      }),
    );
  });
});
