import { parse } from 'yaml';
import { attackSuite } from '../../access/attack-suite.ts';
import { startCloud } from './cloud.ts';

// The same attacks as on the local process, through the front and the bundled functions.
attackSuite(
  async (yaml, secrets) => {
    // Secrets come by references to Secrets Manager here; nobody sets environment variables on Lambda.
    const config = parse(yaml.replaceAll('${env:', '${secret:')) as Record<string, unknown>;
    const cloud = await startCloud({ config: { ...config, log: { level: 'debug' } }, secrets });
    return { url: cloud.url, log: cloud.fleet.logged, [Symbol.asyncDispose]: cloud[Symbol.asyncDispose] };
  },
  { holdsStreams: false },
);
