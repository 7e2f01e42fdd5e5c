import { ANONYMOUS } from '../lib/access/caller.ts';
import { createLog } from '../lib/log.ts';
import { healStored } from '../lib/run/heal-stored.ts';
import { composeAws } from './compose-aws.ts';
import { countLog } from './metrics.ts';
import { readRuntimeConfig } from './runtime-config.ts';

const config = readRuntimeConfig();
const { log, flush } = countLog(createLog(config.log));
const { registry, services } = composeAws(config, process.env, log);

/**
 * Lists every upstream anew into the registry's cache; one that fails keeps its old catalogue and harms no other. Stored
 * scripts that a change breaks are marked.
 */
export async function handler(): Promise<void> {
  try {
    const before = await registry.catalogue(ANONYMOUS);
    await registry.refresh();
    const healing = healStored(services, before, await registry.catalogue(ANONYMOUS));
    await healing.catch((error: Error) => log('error', 'stored code not checked', { error: error.name }));
  } finally {
    flush();
  }
}
