/**
 * Builds the Go interpreter: `node wasm/go/build.ts [output folder]`. Needs exactly the Go release named here, and
 * gives the same bytes wherever it runs. Users never need it: the artefact is committed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { bake } from './bake.ts';

const GO_RELEASE = 'go1.26.8';
const YAEGI = 'github.com/traefik/yaegi';
/** Names never extracted: they reach files. */
const EXCLUDED = '^ParseFiles$,^ParseGlob$,^ParseFS$';

/**
 * Changes made to Yaegi while building: each text must occur exactly once. They make a panic's position exact, keep
 * the interpreter from printing it, count nested calls, replace the inference of type arguments, and give what an
 * operation makes a place of its own before it goes into an empty interface or beside other results or variables.
 */
const YAEGI_CHANGES: readonly (readonly [file: string, from: string, to: string])[] = [
  [
    'run.go',
    '\tdbg := n.interp.debugger\n\tif dbg == nil {\n',
    '\twatchEnter()\n\tdbg := n.interp.debugger\n\tif dbg == nil {\n',
  ],
  [
    'run.go',
    '\tvar exec bltn\n\tdefer func() {\n',
    '\tvar exec bltn\n\tfinished := false\n\tdefer func() {\n\t\tif watchLeave(n, f, exec, finished) {\n\t\t\treturn\n\t\t}\n',
  ],
  [
    'run.go',
    '\t\tif f.recovered != nil {\n\t\t\toNode',
    '\t\twatchDeferred(finished, f.recovered != nil)\n\t\tif f.recovered != nil {\n\t\t\toNode',
  ],
  ['run.go', 'for exec := n.exec; exec != nil && f.runid()', 'for exec = n.exec; exec != nil && f.runid()'],
  [
    'run.go',
    '\t\t\texec = exec(f)\n\t\t}\n\t\treturn\n',
    '\t\t\texec = exec(f)\n\t\t}\n\t\tfinished = true\n\t\treturn\n',
  ],
  ['generic.go', 'func inferTypesFromCall(', 'func formerlyInferTypesFromCall('],
  [
    'run.go',
    '\t\t\toNode := originalExecNode(n, exec)\n\t\t\tif oNode == nil {',
    '\t\t\toNode := n\n\t\t\tif oNode == nil {',
  ],
  [
    'cfg.go',
    '\t\t\tcase n.anc.kind == assignStmt && n.anc.action == aAssign && n.anc.nleft == 1:\n',
    '\t\t\tcase boxed(n, sc):\n\t\t\t\tn.findex = sc.add(n.typ)\n\t\t\tcase n.anc.kind == assignStmt && n.anc.action == aAssign && n.anc.nleft == 1:\n',
  ],
  [
    'cfg.go',
    '\t\t\tcase n.anc.kind == assignStmt && n.anc.action == aAssign && n.anc.nright == 1:\n',
    '\t\t\tcase n.action != aRecv && boxed(n, sc):\n\t\t\t\tn.findex = sc.add(n.typ)\n\t\t\tcase n.anc.kind == assignStmt && n.anc.action == aAssign && n.anc.nright == 1:\n',
  ],
  [
    'cfg.go',
    '\t\t\t\tcase n.anc.kind == returnStmt:\n\t\t\t\t\t// Store result directly to frame output',
    '\t\t\t\tcase n.anc.kind == returnStmt && len(n.anc.child) == 1:\n\t\t\t\t\t// Store result directly to frame output',
  ],
  [
    'cfg.go',
    '\t\t\t\tcase isCall(src) && !isInterfaceSrc(dest.typ) && n.kind != defineStmt:\n',
    '\t\t\t\tcase n.nleft > 1 && (isCall(src) || src.action == aRecv || src.action == aCompositeLit):\n\t\t\t\t\t// The others are assigned too.\n\t\t\t\tcase isCall(src) && !isInterfaceSrc(dest.typ) && n.kind != defineStmt:\n',
  ],
  [
    'run.go',
    '\t\tcase isInterfaceSrc(typ):\n\t\t\tt = valueInterfaceType\n',
    '\t\tcase isInterfaceSrc(typ) && !isBox(typ):\n\t\t\tt = valueInterfaceType\n',
  ],
  [
    'value.go',
    '\tcase n.anc.kind == returnStmt && n.anc.val.(*node).typ.ret[0].cat == interfaceT:\n',
    '\tcase n.findex == 0 && n.anc.kind == returnStmt && n.anc.val.(*node).typ.ret[0].cat == interfaceT:\n',
  ],
  [
    'run.go',
    '\tswitch len(child) {\n\tcase 0:\n\t\tn.exec = nil\n\tcase 1:\n',
    '\tif returnOfResults(n, values) {\n\t\treturn\n\t}\n\tswitch len(child) {\n\tcase 0:\n\t\tn.exec = nil\n\tcase 1:\n',
  ],
  [
    'run.go',
    '!child[0].rval.IsValid() && child[0].kind == binaryExpr:',
    '!child[0].rval.IsValid() && child[0].kind == binaryExpr && child[0].findex == 0:',
  ],
  ['run.go', 'execAddr := reflect.ValueOf(exec).Pointer()', 'execAddr := closureOf(exec)'],
  ['run.go', 'if reflect.ValueOf(wn.exec).Pointer() == execAddr {', 'if closureOf(wn.exec) == execAddr {'],
];

/** Builds into a folder; gives back the module's SHA-256. */
function build(output: string): string {
  const release = run('go', ['env', 'GOVERSION'], '.').trim();
  if (release !== GO_RELEASE) throw new Error(`needs ${GO_RELEASE} for identical bytes, found ${release}`);
  const work = mkdtempSync(join(tmpdir(), 'codemode-go-'));
  try {
    cpSync(join(import.meta.dirname, 'guest'), work, { recursive: true });
    extractSymbols(work);
    const overlay = changeDependencies(work);
    const wasm = join(work, 'interpreter.wasm');
    run(
      'go',
      [
        'build',
        '-mod=vendor',
        '-buildmode=c-shared',
        '-trimpath',
        '-buildvcs=false',
        '-ldflags=-s -w -buildid= -checklinkname=0',
        `-overlay=${overlay}`,
        '-o',
        wasm,
        '.',
      ],
      work,
      { GOOS: 'wasip1', GOARCH: 'wasm' },
    );
    const bytes = bake(readFileSync(wasm));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, 'interpreter.wasm.zst'), compress(bytes));
    writeFileSync(join(output, 'interpreter.wasm.sha256'), `${sha256}  interpreter.wasm\n`);
    return sha256;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes `symbols/`: what Yaegi needs to know of the packages listed in `packages.txt`. */
function extractSymbols(work: string): void {
  const tool = join(work, 'yaegi');
  run('go', ['build', '-o', tool, `${YAEGI}/cmd/yaegi`], work);
  const folder = join(work, 'symbols');
  const packages = readFileSync(join(work, 'packages.txt'), 'utf8').trim().split('\n');
  run(tool, ['extract', '-name', 'symbols', '-exclude', EXCLUDED, ...packages], folder, {
    GOOS: 'wasip1',
    GOARCH: 'wasm',
  });
  rmSync(tool);
}

/** Copies Yaegi beside the source, changed, and tells the Go tool of the file that is added to its runtime. */
function changeDependencies(work: string): string {
  run('go', ['mod', 'vendor'], work);
  const interp = join(work, 'vendor', YAEGI, 'interp');
  for (const name of ['watch', 'infer', 'box']) {
    cpSync(join(work, `overlay/interp_${name}.go.txt`), join(interp, `codemode_${name}.go`));
  }
  for (const [file, from, to] of YAEGI_CHANGES) {
    const text = readFileSync(join(interp, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file}: expected exactly once: ${from}`);
    writeFileSync(
      join(interp, file),
      text.replace(from, () => to),
    );
  }
  const added = join(run('go', ['env', 'GOROOT'], work).trim(), 'src/runtime/codemode_reseed.go');
  const overlay = join(work, 'overlay.json');
  writeFileSync(overlay, JSON.stringify({ Replace: { [added]: join(work, 'overlay/runtime_reseed.go.txt') } }));
  return overlay;
}

/** Zstandard: half as large again as brotli's best, but read several times faster on a cold start. */
function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 22,
      [constants.ZSTD_c_windowLog]: 25,
      [constants.ZSTD_c_contentSizeFlag]: 1,
    },
    pledgedSrcSize: bytes.length,
  });
}

function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '', GOWORK: 'off', CGO_ENABLED: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
}

const output = process.argv[2] ?? join(import.meta.dirname, 'artefact');
process.stdout.write(`${build(output)}\n`);
