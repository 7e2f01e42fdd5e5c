import { describe, expect, it } from 'vitest';
import { createAnswers } from '../../../wasm/go/answers.ts';
import { limitMemory } from '../../../wasm/go/module.ts';
import { prepareGo } from '../../../wasm/go/prepare.ts';
import { createWasi } from '../../../wasm/go/wasi.ts';

const PAGE_BYTES = 65_536;

describe('the shim', () => {
  const buffer = new ArrayBuffer(PAGE_BYTES);
  const memory = { bytes: () => new Uint8Array(buffer), view: () => new DataView(buffer) };
  const sources = { now: () => 1n, monotonic: () => 2n, fill: (bytes: Uint8Array) => void bytes.fill(7) };
  const wasi = createWasi(memory, createAnswers(), sources, () => {});
  const call = (name: string, ...numbers: (number | bigint)[]) =>
    (wasi(name) as (...all: (number | bigint)[]) => number)(...numbers);

  it('knows no arguments and no environment', () => {
    memory.bytes().fill(9);
    expect([call('args_sizes_get', 0, 4), call('environ_sizes_get', 8, 12)]).toEqual([0, 0]);
    expect([...memory.bytes().subarray(0, 16)]).toEqual(Array(16).fill(0));
  });

  it('opens, reads and lists nothing', () => {
    const names = [
      'path_open',
      'path_filestat_get',
      'path_readlink',
      'fd_readdir',
      'fd_pread',
      'fd_pwrite',
      'fd_seek',
      'sock_accept',
      'sock_shutdown',
    ];
    for (const name of names) expect(call(name, 3, 0, 0, 0, 0, 0), name).not.toBe(0);
    for (const descriptor of [0, 4, 5]) expect(call('fd_read', descriptor, 0, 1, 0)).not.toBe(0);
    for (const descriptor of [3, 4]) expect(call('fd_prestat_get', descriptor, 0)).not.toBe(0);
    expect(call('fd_write', 4, 0, 0, 0)).not.toBe(0);
  });
});

describe('the module', () => {
  it('asks for the shim and the bridge only', async () => {
    const { module } = await prepareGo(PAGE_BYTES);
    expect([...new Set(WebAssembly.Module.imports(module).map((own) => own.module))].sort()).toEqual([
      'codemode',
      'wasi_snapshot_preview1',
    ]);
    const bridge = WebAssembly.Module.imports(module).flatMap((own) => (own.module === 'codemode' ? [own.name] : []));
    expect(bridge.sort()).toEqual(['log', 'ok', 'panic', 'result', 'size', 'start', 'take', 'wait']);
  });

  it('has a memory that grows to its limit and no further', () => {
    // (module (memory (export "m") 1))
    const binary = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 109, 2, 0]);
    const { bytes, baselinePages } = limitMemory(binary, 300);
    expect(baselinePages).toBe(1);
    const memory = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports['m'] as WebAssembly.Memory;
    expect(memory.grow(300)).toBe(1);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });
});
