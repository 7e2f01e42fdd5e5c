import { CONFIG_FILE } from '../../../functions/runtime-config.ts';
import { unauthorized } from '../../../functions/unauthorized.ts';
import { bundleFunction } from '../../../infra/bundle.ts';
import { runtimeConfig } from '../../../infra/runtime-config.ts';
import { type Config, configSchema } from '../../../lib/config/schema.ts';
import { startDynamoDb } from '../../support/dynamodb.ts';
import { ANY_CREDENTIALS } from '../../support/gateway-table.ts';
import type { Environment } from '../../support/lambda/environment.ts';
import { type Front, type FrontOptions, startFront } from '../../support/lambda/front.ts';
import { startS3 } from '../../support/s3-server.ts';
import { startSecrets } from '../../support/secrets-server.ts';
import { startRuntimeClient } from './environment.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { createFleet, type Fleet } from './fleet.ts';

/** Three, so that a client's first requests each meet another one. */
const ENVIRONMENTS = 3;

export interface CloudOptions {
  /** As a configuration file has it. */
  config: Record<string, unknown>;
  /** What the references of the configuration lead to. */
  secrets?: Record<string, string>;
  least?: number;
  most?: number;
  /** Where servers are started by a command, the stack does not confine the function either. */
  confined?: boolean;
  /** As `-c endpoint` and `-c isolation` of the stack. */
  endpoint?: 'rest' | 'function-url';
  isolation?: 'shared' | 'per-user';
}

/** The deployed gateway without AWS: a URL before a fleet of environments, the table, the bucket, the secrets. */
export interface Cloud extends AsyncDisposable {
  url: string;
  front: Front;
  fleet: Fleet;
  /** With isolation: the environments of each tenant; none is anybody else's. */
  tenants: Map<string, Fleet>;
  /** Before the table, the bucket and the secrets. */
  dynamodb: FaultProxy;
  s3: FaultProxy;
  secrets: FaultProxy;
  /** What every environment is given. */
  env: Record<string, string>;
  /** Runs the scheduled function once, in an environment of its own. */
  refresh(): Promise<void>;
}

/** Starts it, as the stack bundles and configures it. */
export async function startCloud({
  config,
  secrets: values = {},
  least = ENVIRONMENTS,
  most = ENVIRONMENTS,
  confined = true,
  endpoint = 'rest',
  isolation = 'shared',
}: CloudOptions): Promise<Cloud> {
  const [table, bucket, vault] = await Promise.all([startDynamoDb(), startS3(), startSecrets(values)]);
  const [dynamodb, s3, secrets] = await Promise.all([
    startFaultProxy(table.endpoint),
    startFaultProxy(bucket.endpoint),
    startFaultProxy(vault.endpoint),
  ]);
  const parsed = configSchema.parse(config);
  const files = { [CONFIG_FILE]: runtimeConfig(parsed, parsed.upstream) };
  const gateway = bundleFunction('e2e-gateway', { entry: 'functions/mcp.ts', sandbox: true, files });
  const refresh = bundleFunction('e2e-refresh', { entry: 'functions/refresh.ts', files });
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...ANY_CREDENTIALS,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_SSM: secrets.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    TABLE_NAME: table.tableName,
    BUCKET_NAME: bucket.bucket,
  };
  const startFleet = () => createFleet(() => startRuntimeClient(gateway, env, { confined }), { least, most });
  const fleet = startFleet();
  const tenants = new Map<string, Fleet>();
  const authorizer = isolation === 'per-user' ? await startAuthorizer(files, env, parsed) : undefined;
  const front = await startFront(
    (tenant) => {
      if (tenant === undefined) return fleet.next();
      const own = tenants.get(tenant) ?? startFleet();
      tenants.set(tenant, own);
      return own.next();
    },
    { endpoint, ...(authorizer && { authorizer }) },
  );
  return {
    url: `${front.url}/mcp`,
    front,
    fleet,
    tenants,
    dynamodb,
    s3,
    secrets,
    env,
    async refresh() {
      const environment = await startRuntimeClient(refresh, env, { confined });
      try {
        await environment.invoke({});
      } finally {
        await environment.kill();
      }
    },
    async [Symbol.asyncDispose]() {
      await front.close();
      await Promise.all([fleet, ...tenants.values()].map((one) => one.close()));
      await authorizer?.environment.kill();
      for (const proxy of [dynamodb, s3, secrets]) proxy.close();
      await Promise.all([table.close(), bucket.close(), vault.close()]);
    },
  };
}

/** The authorizer in an environment of its own, asked as API Gateway asks it. */
async function startAuthorizer(
  files: Record<string, string>,
  { TABLE_NAME: _table, BUCKET_NAME: _bucket, ...env }: Record<string, string>,
  { auth }: Config,
): Promise<NonNullable<FrontOptions['authorizer']> & { environment: Environment }> {
  const folder = bundleFunction('e2e-authorize', { entry: 'functions/authorize.ts', files });
  const environment = await startRuntimeClient(folder, env);
  return {
    environment,
    refusal: unauthorized('https://id.execute-api.eu-central-1.amazonaws.com/prod', auth),
    async tenantOf(event) {
      try {
        const answer = (await environment.invoke(event)) as { context: { tenant: string } };
        return answer.context.tenant;
      } catch (error) {
        // API Gateway takes this one message for a refusal; all else is its 500.
        if (String(error).includes('"errorMessage":"Unauthorized"')) return undefined;
        throw error;
      }
    },
  };
}
