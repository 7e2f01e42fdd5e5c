import { createHash } from 'node:crypto';
import type { APIGatewayAuthorizerResult, APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { createIdentify } from '../lib/access/identify.ts';
import { createResolver } from '../lib/config/references.ts';
import { createSecretReaders } from '../lib/config/secrets.ts';
import { requestOf } from './event-request.ts';
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

/** The one message that API Gateway takes for a refusal. */
const REFUSED = 'Unauthorized';

/** The tenant of what the gateway answers without a token: health, metadata and preflights; the rest it refuses itself. */
const PUBLIC_TENANT = 'public';

function isPublic({ method, url }: Request): boolean {
  const { pathname } = new URL(url);
  return method === 'OPTIONS' || pathname === '/healthz' || pathname.startsWith('/.well-known/');
}

/** The request as the gateway will read it. */
function requestIn(event: APIGatewayRequestAuthorizerEvent): Request {
  try {
    return requestOf({ ...event, body: null } as unknown as APIGatewayProxyEvent);
  } catch {
    throw new Error(REFUSED);
  }
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
  const request = requestIn(event);
  if (isPublic(request)) return allow(PUBLIC_TENANT, event.methodArn);
  const identity = await identify(request.headers);
  if (!('caller' in identity) || identity.caller.userId === undefined) throw new Error(REFUSED);
  return allow(tenantOf(identity.caller.userId), event.methodArn);
}
