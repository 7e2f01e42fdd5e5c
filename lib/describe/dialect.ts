import type { CatalogueServer } from '../registry/contract.ts';
import type { Language } from '../sandbox/contract.ts';
import type { Tool } from '../tool.ts';
import type { ExampleCall } from './example.ts';

/** `brief`: one sentence a function; `full`: whole descriptions, parameters and defaults. */
export type Detail = 'brief' | 'full';

/** What stands above the functions whatever they are. */
export interface SheetFacts {
  /** Functions of the catalogue shown, for real names in the rules; may be empty. */
  calls: ExampleCall[];
  /** Lines on servers that cannot be called now, already safe. */
  notices: string[];
  /** Calls of one run under way at once. */
  maxParallelCalls: number;
}

/** How a cheat sheet is written in one language. */
export interface Dialect {
  language: Language;
  /** Name by which a script calls a tool. */
  callName(tool: Tool): string;
  /** The rules of scripts, then the notices. */
  head(facts: SheetFacts): string;
  /** All functions of one server. */
  server(server: Pick<CatalogueServer, 'server' | 'namespace'>, tools: readonly Tool[], detail: Detail): string;
  /** A remark between the functions. */
  remark(text: string): string;
  /** The example script, with what sets it off from the rest. */
  example(calls: ExampleCall[]): string;
  /** One function on its own, with its source. */
  signature(tool: Tool): string;
  /** A call of a kept script. */
  keptCall(name: string): string;
  /** What a comment begins with. */
  comment: '//' | '--';
}
