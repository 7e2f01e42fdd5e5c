import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFunction } from '../../infra/bundle.ts';
import { runtimeConfig } from '../../infra/runtime-config.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { type Environment, startEnvironment } from '../support/lambda/environment.ts';
import { type FakeSecrets, startSecrets } from '../support/secrets-server.ts';

const SECRET = 'a secret of the test that is long enough';
const ARN = 'arn:aws:execute-api:eu-central-1:1:api/prod/POST/mcp';

const tokenOf = (id: string, secret = SECRET, expires = '1h') =>
  new SignJWT({ id })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));

describe('the authorizer', () => {
  let secrets: FakeSecrets;
  let environment: Environment;
  beforeAll(async () => {
    secrets = await startSecrets({ webui: SECRET });
    const config = configSchema.parse({ auth: { require: true, jwt_secret: '${secret:webui}' } });
    const folder = bundleFunction('test-authorize', {
      entry: 'functions/authorize.ts',
      files: { 'config.json': runtimeConfig(config, []) },
    });
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
    environment = await startEnvironment(folder, Object.fromEntries(aws) as Record<string, string>);
  });
  afterAll(async () => {
    await environment?.kill();
    await secrets?.close();
  });

  const ask = (headers: Record<string, string[]>, event: object = {}) =>
    environment.invoke({
      httpMethod: 'POST',
      path: '/mcp',
      methodArn: ARN,
      multiValueHeaders: headers,
      requestContext: { domainName: 'api.example' },
      ...event,
    });

  it('names the same tenant for the same user and another one for another, showing neither', async () => {
    const tenants = [];
    for (const id of ['ada', 'ada', 'grace', 'ключ / 1']) {
      const answer = (await ask({ Authorization: [`Bearer ${await tokenOf(id)}`] })) as { context: { tenant: string } };
      expect(answer).toMatchObject({
        principalId: answer.context.tenant,
        policyDocument: { Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: ARN }] },
      });
      expect(answer.context.tenant).toMatch(/^[0-9a-f]{64}$/);
      tenants.push(answer.context.tenant);
    }
    expect(tenants[0]).toBe(tenants[1]);
    expect(new Set(tenants).size).toBe(3);
  });

  it('refuses what names no verified user', async () => {
    for (const headers of [
      {},
      { Authorization: ['Bearer sk-key'] },
      { Authorization: [`Bearer ${await tokenOf('ada', 'another secret, which is long enough')}`] },
      { Authorization: [`Bearer ${await tokenOf('ada', SECRET, '-1h')}`] },
      { Authorization: [`Bearer ${await tokenOf('ada')}`, `Bearer ${await tokenOf('grace')}`] },
      { 'X-Amz-Tenant-Id': ['ada'] },
      { 'X-Price': ['€'] },
    ]) {
      await expect(ask(headers)).rejects.toThrow('Unauthorized');
    }
  });

  it('reads a path as the gateway does, so that none leads to it by way of what is public', async () => {
    await expect(ask({}, { path: '/.well-known/../mcp' })).rejects.toThrow('Unauthorized');
  });

  it('lets through what the gateway answers without a token', async () => {
    for (const event of [
      { httpMethod: 'OPTIONS' },
      { httpMethod: 'GET', path: '/healthz' },
      { httpMethod: 'GET', path: '/.well-known/oauth-protected-resource' },
    ]) {
      expect(await ask({}, event)).toMatchObject({ context: { tenant: 'public' } });
    }
  });
});
