import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { LogFields } from '../../lib/log.ts';
import { until } from '../support/until.ts';
import { connectTo, stdioEntry } from '../support/upstreams/connect.ts';
import { recordedTools } from '../support/upstreams/fake-server.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 10_000 };

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('an upstream over stdio', () => {
  it.each(['serve', 'modern'])('lists its tools and answers calls (%s)', async (mode) => {
    await using upstream = connectTo(stdioEntry(mode, 'server-memory'));
    const tools = await upstream.listTools(asked);
    expect(tools.slice(3)).toEqual(recordedTools('server-memory'));
    const { content } = await upstream.callTool({ name: 'read_graph', arguments: { a: 1 } }, asked);
    expect(content?.[0]?.['text']).toBe('{"called":"read_graph","arguments":{"a":1}}');
  });

  it('gets only safe variables and the configured ones, and its working_dir', async () => {
    process.env['NOT_FOR_UPSTREAMS'] = 'secret';
    const working_dir = realpathSync(mkdtempSync(join(tmpdir(), 'upstream-')));
    const resolve = async (text: string) => text.replace('${env:KEY}', 'resolved');
    const env = { PLAIN: '1', KEY: '${env:KEY}' };
    await using upstream = connectTo({ ...stdioEntry(), env, working_dir }, { resolve });
    const { structuredContent } = await upstream.callTool({ name: 'env', arguments: {} }, asked);
    const seen = structuredContent as JsonObject;
    expect(seen).toMatchObject({ PLAIN: '1', KEY: 'resolved', cwd: working_dir });
    expect(seen).not.toHaveProperty('NOT_FOR_UPSTREAMS');
    expect(Object.keys(seen).filter((name) => /TOKEN|SECRET|AWS|NODE_OPTIONS|VITEST/.test(name))).toEqual([]);
  });

  it('gets the global npmrc of the npm that started the gateway, save where its own env names one', async () => {
    const seen = async (env: Record<string, string>, npmrc?: string) => {
      await using upstream = connectTo({ ...stdioEntry(), env }, { npmrc });
      const { structuredContent } = await upstream.callTool({ name: 'env', arguments: {} }, asked);
      return Object.entries(structuredContent as JsonObject).filter(([name]) => /globalconfig/i.test(name));
    };
    expect(await seen({}, '/etc/npmrc')).toEqual([['npm_config_globalconfig', '/etc/npmrc']]);
    const own = { NPM_CONFIG_GLOBALCONFIG: '/own/npmrc' };
    expect(await seen(own, '/etc/npmrc')).toEqual(Object.entries(own));
    expect(await seen({})).toEqual([]);
  });

  it('is one process for all callers, which ends with the upstream', async () => {
    const upstream = connectTo({ ...stdioEntry(), args: [...stdioEntry().args, 'serve'] });
    const pids = new Set<number>();
    for (const token of ['a.b.c', 'd.e.f', undefined]) {
      const caller = { admin: false, ...(token && { token, userId: token }) };
      const { structuredContent } = await upstream.callTool({ name: 'env', arguments: {} }, { ...asked, caller });
      pids.add(Number((structuredContent as JsonObject)['pid']));
    }
    expect(pids.size).toBe(1);
    const [pid = 0] = pids;
    expect(isRunning(pid)).toBe(true);
    await upstream.close();
    await until(() => !isRunning(pid));
  });

  it('that crashes in the middle of a call fails it at once, and is started again by the next', async () => {
    await using upstream = connectTo(stdioEntry('crash'));
    let lost = 0;
    upstream.onLost(() => lost++);
    await expect(upstream.callTool({ name: 'env', arguments: {} }, asked)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message:
        'Server "fake" gave no answer: its process ended (the log has its exit code and the last line it wrote to stderr). The call may have run: check before repeating it.',
    });
    expect(lost).toBe(1);
    expect(await upstream.listTools(asked)).toHaveLength(3);
  });

  it('that ends at once is not available', async () => {
    await using upstream = connectTo(stdioEntry('exit'));
    await expect(upstream.listTools(asked)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message:
        'Server "fake" is not available: its process ended (the log has its exit code and the last line it wrote to stderr).',
    });
  });

  it('that hangs is given up after connect_timeout_s', async () => {
    await using upstream = connectTo({ ...stdioEntry('hang'), connect_timeout_s: 0.5 });
    await expect(upstream.listTools(asked)).rejects.toMatchObject({
      message: 'Server "fake" is not available: it did not answer within 0.5 s (connect_timeout_s).',
    });
  });

  it('tells when its lists change', async () => {
    await using upstream = connectTo(stdioEntry());
    const told: string[] = [];
    const stop = upstream.onListChanged((kind) => told.push(kind));
    await upstream.callTool({ name: 'change', arguments: {} }, asked);
    await until(() => told.length === 1);
    stop();
    await upstream.callTool({ name: 'change', arguments: {} }, asked);
    await upstream.listTools(asked);
    expect(told).toEqual(['tools']);
  });

  it('has its stderr logged at debug, configured values masked', async () => {
    const lines: (LogFields | undefined)[] = [];
    const log = (_: string, msg: string, fields?: LogFields) => void (msg === 'upstream stderr' && lines.push(fields));
    const resolve = async (text: string) => text.replace('${env:TOKEN}', 'of-the-arguments');
    const entry = { ...stdioEntry('noisy', '--with=${env:TOKEN}'), env: { API_KEY: 'sk-123456789' } };
    await using upstream = connectTo(entry, { log, resolve });
    await upstream.listTools(asked);
    await until(() => lines.length > 0);
    expect(lines).toEqual([{ upstream: 'fake', line: 'starting with key *** and --with=***' }]);
  });

  it('that ends by itself or hangs has its exit code and last words logged as an error, configured values masked', async () => {
    const lines: LogFields[] = [];
    const log = (level: string, msg: string, fields?: LogFields) =>
      void (level === 'error' && lines.push({ msg, ...fields }));
    const env = { API_KEY: 'sk-123456789' };
    await using failing = connectTo({ ...stdioEntry('fail'), env }, { log });
    await expect(failing.listTools(asked)).rejects.toThrow('its process ended');
    await until(() => lines.length > 0);
    await using crashing = connectTo(stdioEntry('crash'), { log });
    await expect(crashing.callTool({ name: 'env', arguments: {} }, asked)).rejects.toThrow('its process ended');
    await until(() => lines.length > 1);
    await using hanging = connectTo({ ...stdioEntry('hang'), connect_timeout_s: 2 }, { log });
    await expect(hanging.listTools(asked)).rejects.toThrow('did not answer');
    await using good = connectTo(stdioEntry(), { log });
    await good.listTools(asked);
    await good.close();
    expect(lines).toEqual([
      { msg: 'upstream process ended', upstream: 'fake', exitCode: 4, lastLine: 'no account for ***' },
      { msg: 'upstream process ended', upstream: 'fake', exitCode: 3, lastLine: '(nothing on stderr)' },
      { msg: 'upstream process does not answer', upstream: 'fake', lastLine: 'downloading' },
    ]);
  });
});
