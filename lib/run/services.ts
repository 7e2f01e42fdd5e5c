import type { Caller } from '../access/caller.ts';
import type { Config } from '../config/schema.ts';
import type { Log } from '../log.ts';
import type { Catalogue, CatalogueView } from '../registry/contract.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import type { CodeStore } from '../store/contract.ts';
import type { ToolExposure } from '../tool.ts';
import type { Upstream } from '../upstream/contract.ts';
import type { UsageLedger } from '../usage/contract.ts';

/** What running a script or calling a tool needs; put together by `functions/compose.ts`. */
export interface RunServices {
  config: Config;
  log: Log;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Every server and tool as known now; never waits for a slow upstream where a snapshot exists. */
  catalogue(caller: Caller): Promise<Catalogue>;
  /** The catalogue as this caller may see it. */
  view(catalogue: Catalogue, caller: Caller): CatalogueView;
  /** The caller's right to one tool, by its upstream's own name. */
  exposure(server: string, originalName: string, caller: Caller): ToolExposure;
  /** By `upstream[].name`. */
  upstream(server: string): Upstream | undefined;
  /** Loaded when first needed. */
  sandbox(): Promise<Sandbox>;
  usage: UsageLedger;
  /** Absent where no store is configured. */
  store?: CodeStore;
}
