import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import type { Catalogue, CatalogueView } from '../registry/contract.ts';
import type { Step } from '../run/run-script.ts';
import type { InboundClient } from '../upstream/contract.ts';
import type { ServerServices } from './services.ts';

/** One call of a tool of ours. */
export interface OwnCall {
  services: ServerServices;
  catalogue: Catalogue;
  view: CatalogueView;
  caller: Caller;
  signal: AbortSignal;
  meta: JsonObject;
  deadline?: number;
  onStep?: (step: Step) => void;
  client?: InboundClient;
}
