import { createLog } from '../lib/log.ts';
import { composeAws } from './compose-aws.ts';
import { countLog } from './metrics.ts';
import { readRuntimeConfig } from './runtime-config.ts';

const config = readRuntimeConfig();
const { log, flush } = countLog(createLog(config.log));
const { registry } = composeAws(config, process.env, log);

/** Lists every upstream anew into the registry's cache; one that fails keeps its old catalogue and harms no other. */
export async function handler(): Promise<void> {
  try {
    await registry.refresh();
  } finally {
    flush();
  }
}
