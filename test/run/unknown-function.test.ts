import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { answerUnknown } from '../../lib/run/unknown-function.ts';
import type { Tool } from '../../lib/tool.ts';
import { stubServices } from '../support/stub-services.ts';

const text = () => ({ content: [] });
const services = stubServices({
  servers: { os: { read_file: { answer: text }, 'get-info': { answer: text } }, wiki: { read_file: { answer: text } } },
});
const stub = await services.catalogue(ANONYMOUS);
/** As with `alias: os` for a server named `file-system`. */
const servers = stub.servers.map((one) => (one.namespace === 'os' ? { ...one, server: 'file-system' } : one));
const catalogue = { ...stub, servers };
const view = { ...services.view(stub, ANONYMOUS), servers };

function told(namespace: string, name: string) {
  return answerUnknown({ namespace, name }, catalogue, view);
}

describe('a name that no function has', () => {
  it.each([
    ['a direct tool', 'os__read_file', '', 'os__read_file → os.read_file'],
    ['a direct tool whose name is no identifier', 'os__get_info', '', 'os__get_info → os.get_info'],
    ['a function without its namespace', 'read_file', '', 'read_file → os.read_file or wiki.read_file'],
    ["a function under its server's name", 'file_system', 'read_file', 'file_system.read_file → os.read_file'],
    ["a Go function under its server's name", 'file_system', 'ReadFile', 'file_system.ReadFile → os.ReadFile'],
  ])('but that stands for %s is answered with it', (_, namespace, name, message) => {
    expect(told(namespace, name)).toMatchObject({
      code: 'function_not_found',
      message: `there is no function ${name === '' ? namespace : `${namespace}.${name}`}: ${message}`,
    });
  });

  it('is answered with a deprecated function only where no other is as near, and with the mark', () => {
    const marked = (tool: Tool): Tool =>
      tool.directName === 'os__read_file'
        ? { ...tool, definition: { ...tool.definition, description: 'Reads. DEPRECATED: use read_text.' } }
        : tool;
    const read = stub.servers.flatMap(({ tools }) => tools).find(({ directName }) => directName === 'os__read_file')!;
    const functions = [...view.functions, { ...read, snakeName: 'read_text', directName: 'os__read_text' }].map(marked);
    const message = (namespace: string, name: string) => {
      const answer = answerUnknown({ namespace, name }, catalogue, { ...view, functions });
      return 'message' in answer ? answer.message : '';
    };
    expect(message('os', 'read')).toMatch(/: os\.read → os\.read_text$/);
    expect(message('os', 'raed_file')).toMatch(/: os\.raed_file → os\.read_file \(deprecated\)$/);
    expect(message('read_file', '')).toMatch(/: read_file → wiki\.read_file or os\.read_file \(deprecated\)$/);
    expect(message('os', 'read_everything')).toMatch(/: os has os\.read_text, os\.read_file/);
  });

  it('of a server that the caller may not know of, and that was never listed, says nothing of the server', () => {
    const away = servers.map((one) => ({ ...one, state: 'failed' as const, tools: [], error: 'It is down.' }));
    const hidden = { ...view, servers: away.filter(({ namespace }) => namespace !== 'os'), functions: [] };
    const answer = answerUnknown({ namespace: 'os', name: 'read_file' }, { ...catalogue, servers: away }, hidden);
    expect(answer).toMatchObject({
      code: 'upstream_unavailable',
      message: 'os.read_file: it cannot be called now; try again later',
    });
  });

  it.each([
    ['connecting', undefined, 'the server "file-system" is still connecting; try again in a few seconds'],
    ['failed', 'It is down.', 'the server "file-system" is not available now (failed: It is down); try again later'],
    [
      'failed',
      'Server "file-system" is not available: it refused the connection.',
      'the server "file-system" is not available now (failed: it refused the connection); try again later',
    ],
  ] as const)('of a server that is %s is answered with its state', (state, error, message) => {
    const away = servers.map((one) => ({ ...one, state, tools: [], ...(error && { error }) }));
    const answer = answerUnknown(
      { namespace: 'os', name: 'read_file' },
      { ...catalogue, servers: away },
      { ...view, servers: away, functions: [] },
    );
    expect(answer).toMatchObject({ code: 'upstream_unavailable', message: `os.read_file: ${message}` });
  });
});
