import { type HostFunction, UNKNOWN_FUNCTION } from '../../lib/sandbox/contract.ts';
import type { Bridge, Settled } from '../guest.ts';
import { createEngine, type Engine, type Value } from './engine.ts';
import type { Failure } from './faults.ts';
import type { JavascriptKit } from './prepare-javascript.ts';

/** An answer as the prelude opens it. */
function sealed({ ok, text }: Settled): string {
  return (ok ? '+' : '-') + text;
}

interface Group {
  name: string;
  /** JSON text of `[[snake name, index], …]`. */
  names: string;
}

let grouped: { functions: readonly HostFunction[]; groups: Group[] } | undefined;

function groupByNamespace(functions: readonly HostFunction[]): Group[] {
  if (grouped?.functions === functions) return grouped.groups;
  const lists = new Map<string, [string, number][]>();
  for (const [index, { namespace, snake }] of functions.entries()) {
    const list = lists.get(namespace);
    if (list) list.push([snake, index]);
    else lists.set(namespace, [[snake, index]]);
  }
  const groups = [...lists].map(([name, list]) => ({ name, names: JSON.stringify(list) }));
  grouped = { functions, groups };
  return groups;
}

/** What the prelude does for a run. */
const STEPS = ['begin', 'find', 'enter', 'settle', 'report', 'unwrap', 'forgotten', 'encode', 'explain'] as const;
/** One of `STEPS`. */
export type Step = (typeof STEPS)[number];

/** An engine with the prelude in it, and one run's functions and bridge attached. */
export interface Machine {
  engine: Engine;
  /** Calls a step of the prelude; its arguments are used up. The result may be an exception. */
  raw(name: Step, args: readonly Value[]): Value;
  /** As `raw`, with one argument; undefined where it failed. */
  control(name: Step, value: Value): Value | undefined;
  attach(bridge: Bridge, functions: readonly HostFunction[]): void;
  detach(): void;
  namespaces(): string[];
  hasFunction(name: string): boolean;
  /** Whether the script has started calls without waiting for them. */
  startedCalls(): boolean;
  /** The next answer to a call that nobody blocks on, as the prelude opens it; undefined when none is under way. */
  next(): { id: number; answer: string } | undefined;
  /** Asks the host what to say of `namespace.name`, which is no function; undefined where it is one. */
  ask(namespace: string, name: string): { code: Failure['code']; message: string } | undefined;
}

/**
 * An engine with the prelude in it, at its snapshot: the host's operations that the prelude calls, and the prelude's steps
 * that a run calls.
 */
export function startMachine(kit: JavascriptKit): Machine {
  const engine: Engine = createEngine(kit.module, kit.memoryBytes);
  let bridge: Bridge | undefined;
  let groups: Group[] = [];
  let arrived: Settled[] = [];
  /** Calls started without waiting and not yet delivered. */
  let underWay = 0;
  let started = false;

  const waitFor = (id: number): Settled => {
    for (;;) {
      const answer = bridge!.wait();
      if (answer.id === id) return answer;
      arrived.push(answer);
    }
  };
  const operations = [
    engine.function('hostCall', (_, arg) => {
      const id = bridge!.start(engine.toNumber(arg(0)), engine.text(arg(1)));
      return engine.string(sealed(waitFor(id)));
    }),
    engine.function('hostStart', (_, arg) => {
      underWay++;
      started = true;
      return engine.number(bridge!.start(engine.toNumber(arg(0)), engine.text(arg(1))));
    }),
    engine.function('hostLog', (_, arg) => {
      bridge!.log(engine.text(arg(0)));
      return 0;
    }),
    engine.function('hostNames', (_, arg) => engine.string(groups[engine.toNumber(arg(0))]?.names ?? '[]')),
  ];
  const install = engine.evaluate(kit.prelude, 'prelude', false);
  const stepOf = engine.call(install, operations);
  if (engine.isException(stepOf)) throw new Error(`The prelude failed: ${engine.text(engine.exception(stepOf))}`);
  const steps = Object.fromEntries(STEPS.map((name) => [name, engine.call(stepOf, [engine.string(name)])]));
  const raw = (name: Step, args: readonly Value[]) => {
    const result = engine.call(steps[name]!, args);
    for (const value of args) engine.free(value);
    return result;
  };
  engine.snapshot();

  return {
    engine,
    raw,
    control(name, value) {
      const result = raw(name, [value]);
      return result === 0 || engine.isException(result) ? undefined : result;
    },
    attach(next, functions) {
      bridge = next;
      groups = groupByNamespace(functions);
      arrived = [];
      underWay = 0;
      started = false;
    },
    detach() {
      bridge = undefined;
    },
    namespaces: () => groups.map(({ name }) => name),
    hasFunction: (name) => groups.some(({ names }) => names.includes(`[${JSON.stringify(name)},`)),
    startedCalls: () => started,
    next() {
      if (underWay === 0) return undefined;
      underWay--;
      const settled = arrived.shift() ?? bridge!.wait();
      return { id: settled.id, answer: sealed(settled) };
    },
    ask(namespace, name) {
      const answer = waitFor(bridge!.start(UNKNOWN_FUNCTION, JSON.stringify({ namespace, name })));
      if (answer.ok) return undefined;
      return JSON.parse(answer.text) as { code: Failure['code']; message: string };
    },
  };
}
