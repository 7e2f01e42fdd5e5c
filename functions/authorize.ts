import { createHash } from 'node:crypto';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { createIdentify } from '../lib/access/identify.ts';
import { createResolver } from '../lib/config/references.ts';
import { createSecretReaders } from '../lib/config/secrets.ts';
import { readRuntimeConfig } from './runtime-config.ts';

const config = readRuntimeConfig();
const now = Date.now;
const identify = createIdentify({
  auth: config.auth,
  groups: config.groups,
  resolve: createResolver({ env: {}, ...createSecretReaders(now) }),
  now,
});

/** A tenant's name as Lambda takes it; the user's id may hold any character. */
const tenantOf = (userId: string) => createHash('sha256').update(userId).digest('hex');

/** The tenant of what the gateway answers without a token: health, metadata and preflights; the rest it refuses itself. */
const PUBLIC_TENANT = 'public';

function isPublic({ httpMethod, path }: APIGatewayRequestAuthorizerEvent): boolean {
  return httpMethod === 'OPTIONS' || path === '/healthz' || path.startsWith('/.well-known/');
}

function allow(tenant: string, resource: string): APIGatewayAuthorizerResult {
  return {
    principalId: tenant,
    context: { tenant },
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: resource }],
    },
  };
}

/** Verifies the token and names its tenant; API Gateway answers 401 where this throws. */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  if (isPublic(event)) return allow(PUBLIC_TENANT, event.methodArn);
  const headers = new Headers();
  for (const [name, values] of Object.entries(event.multiValueHeaders ?? {})) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const identity = await identify(headers);
  if (!('caller' in identity) || identity.caller.userId === undefined) throw new Error('Unauthorized');
  return allow(tenantOf(identity.caller.userId), event.methodArn);
}
