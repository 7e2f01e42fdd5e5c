import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../lib/log.ts';

const module = new URL('../../lib/log.ts', import.meta.url).href;

/** What a process that logs two lines and ends at once has written. */
function lines(options: object) {
  const script = `import { createLog } from ${JSON.stringify(module)};
const log = createLog(${JSON.stringify(options)});
log('info', 'server ready', { tools: 3, server: undefined, ok: true });
log('error', 'last');
process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { stdout, stderr };
}

const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the log', () => {
  it('is off unless a level is named', () => {
    expect(lines({})).toEqual({ stdout: '', stderr: '' });
    expect(lines({ level: 'off' })).toEqual({ stdout: '', stderr: '' });
  });

  it('writes JSON lines to stdout, complete at exit', () => {
    const { stdout } = lines({ level: 'info' });
    expect(parsed(stdout)).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: 'INFO',
        msg: 'server ready',
        tools: 3,
        ok: true,
      },
      { time: expect.any(String), level: 'ERROR', msg: 'last' },
    ]);
  });

  it('begins each line with time, level and message, which no field replaces', () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    const file = join(folder, 'a.log');
    createLog({ level: 'debug', file })('warn', 'real', { a: 1, msg: 'false', level: 'false', time: 'false' });
    const line = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    expect(line).toMatch(/^\{"time":"[^"]+Z","level":"WARN","msg":"real","a":1/);
    expect(parsed(line)).toMatchObject([{ level: 'WARN', msg: 'real', time: expect.stringMatching(/Z$/) }]);
  });

  it('writes to stderr where stdout carries the protocol', () => {
    const { stdout, stderr } = lines({ level: 'warn', stdio: true });
    expect(stdout).toBe('');
    expect(parsed(stderr)).toMatchObject([{ level: 'ERROR', msg: 'last' }]);
  });

  it('appends to a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    const file = join(folder, 'a.log');
    for (const msg of ['one', 'two']) createLog({ level: 'debug', file })('debug', msg, { msg: 'shadow' });
    expect(parsed(readFileSync(file, 'utf8')).map((line) => line.msg)).toEqual(['one', 'two']);
    rmSync(folder, { recursive: true });
  });

  it('says at once that a file cannot be opened', () => {
    expect(() => createLog({ level: 'info', file: '/nowhere/at/all.log' })).toThrow(
      'log.file: /nowhere/at/all.log cannot be opened: there is no such folder',
    );
    expect(() => createLog({ level: 'info', file: tmpdir() })).toThrow('cannot be opened: it is a folder');
  });
});
