import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { App, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleFunction } from '../../infra/bundle.ts';
import { type GatewayOptions, GatewayStack } from '../../infra/gateway-stack.ts';
import { runtimeConfig } from '../../infra/runtime-config.ts';
import { loadConfig } from '../../lib/config/load.ts';
import type { Config } from '../../lib/config/schema.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SYNTH_MS = 120_000;
const MAX_ZIPPED_BYTES = 6 * 1024 * 1024;

const deployExample = () =>
  loadConfig({ argv: ['--config', 'infra/deploy.example.yaml'], env: {}, cwd: root, target: 'aws' }).config;

function synthesize(chosen: Partial<GatewayOptions>, change: (config: Config) => void = () => {}) {
  const config = deployExample();
  change(config);
  const app = new App();
  const options: GatewayOptions = { endpoint: 'rest', isolation: 'shared', install: false, ...chosen };
  const stack = new GatewayStack(app, 'test', { config, options });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { template: Template.fromStack(stack), app };
}

interface Statement {
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

/** Every statement of every policy, with the role it is for. */
function statements(template: Template): (Statement & { role: string })[] {
  return Object.values(template.findResources('AWS::IAM::Policy')).flatMap((policy) => {
    const properties = policy['Properties'] as { PolicyDocument: { Statement: Statement[] }; Roles: { Ref: string }[] };
    return properties.PolicyDocument.Statement.map((one) => ({ ...one, role: properties.Roles[0]?.Ref ?? '' }));
  });
}

describe('the stack with a REST endpoint', () => {
  let template: Template;
  beforeAll(() => {
    ({ template } = synthesize({}));
  }, SYNTH_MS);

  it('streams answers for fifteen minutes, which CDK would not say by itself and AWS would not lengthen', () => {
    const methods = Object.values(template.findResources('AWS::ApiGateway::Method'));
    expect(methods).toHaveLength(2);
    for (const { Properties } of methods) {
      expect(Properties.HttpMethod).toBe('ANY');
      expect(Properties.Integration).toMatchObject({
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: 900_000,
        Type: 'AWS_PROXY',
      });
    }
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { EndpointConfiguration: { Types: ['REGIONAL'] } });
  });

  it('throttles, and logs accesses without headers, queries or bodies', () => {
    const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
    expect(stage?.['Properties'].MethodSettings[0]).toMatchObject({
      ThrottlingRateLimit: 50,
      ThrottlingBurstLimit: 100,
      DataTraceEnabled: false,
      // Per method and paid for each; those of the whole API are free.
      MetricsEnabled: false,
    });
    const format = String(stage?.['Properties'].AccessLogSetting.Format);
    expect(Object.keys(JSON.parse(format))).toEqual([
      'time',
      'requestId',
      'method',
      'path',
      'status',
      'bytes',
      'latencyMs',
      'ip',
    ]);
    expect(format).not.toMatch(/header|query|body|authorizer/i);
  });

  it('runs on arm64 and Node 24, without docker', () => {
    const functions = Object.values(template.findResources('AWS::Lambda::Function'));
    expect(functions).toHaveLength(2);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x', Handler: 'index.handler' });
    }
    template.hasResourceProperties('AWS::Lambda::Function', {
      MemorySize: 1024,
      Timeout: 900,
      ReservedConcurrentExecutions: 50,
    });
  });

  it('keeps data private, encrypted, recoverable, and after the stack is gone', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: Match.anyValue(),
        LifecycleConfiguration: Match.anyValue(),
      },
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: [Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })],
      },
    });
    template.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        SSESpecification: { SSEEnabled: true },
        Replicas: [Match.objectLike({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } })],
      },
    });
  });

  it('gives each function what it needs and nothing to everything, save the traces that have no name', () => {
    for (const { Action, Resource } of statements(template)) {
      const actions = [Action].flat();
      expect(actions.some((action) => action.includes('*'))).toBe(false);
      if (Resource === '*') expect(actions).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
    }
    const refresh = statements(template).filter(({ role }) => role.startsWith('Refresh'));
    expect(refresh.find(({ Action }) => [Action].flat().includes('dynamodb:PutItem'))).toMatchObject({
      Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['registry'] } },
    });
    const marks = refresh.filter(({ Action }) => [Action].flat().includes('dynamodb:UpdateItem'));
    expect(marks).toMatchObject([
      { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['code', 'code#*'] } } },
    ]);
    const s3 = refresh.flatMap(({ Action }) => [Action].flat().filter((action) => action.startsWith('s3:')));
    expect(s3).toEqual(['s3:GetObject', 's3:ListBucket']);
    expect(JSON.stringify(refresh)).not.toContain('secretsmanager');
    expect(JSON.stringify(refresh)).toContain('parameter/mcp-code-mode/weather-token');
    const gateway = JSON.stringify(statements(template).filter(({ role }) => role.startsWith('Gateway')));
    expect(gateway).toContain('secret:mcp-code-mode/webui-??????');
  });

  it('lets whoever reads bodies list the bucket, or S3 would call a missing one forbidden', () => {
    const lists = statements(template).filter(({ Action }) => [Action].flat().includes('s3:ListBucket'));
    expect(lists.map(({ role }) => role.replace(/Role.*/, '')).sort()).toEqual(['Gateway', 'Refresh']);
    // A read of an object has no prefix that a condition could hold against.
    for (const one of lists) expect(one).not.toHaveProperty('Condition');
  });

  it('lets CloudWatch publish its alarms, which a topic with a policy of its own allows nobody by itself', () => {
    const [policy] = Object.values(template.findResources('AWS::SNS::TopicPolicy'));
    expect(policy?.['Properties'].PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
  });

  it(
    'gives the refresh, which starts all of them at once, memory for each server started by a command',
    () => {
      const memoryWith = (servers: number) => {
        const { template } = synthesize({}, (config) => {
          const [http, stdio] = config.upstream;
          config.upstream = [http!, ...Array.from({ length: servers }, (_, at) => ({ ...stdio!, name: `s${at}` }))];
        });
        const functions = template.findResources('AWS::Lambda::Function');
        return Object.entries(functions).find(([id]) => id.startsWith('Refresh'))?.[1]['Properties'].MemorySize;
      };
      expect([0, 1, 10].map(memoryWith)).toEqual([512, 608, 1472]);
    },
    SYNTH_MS,
  );

  it('does not repeat a failed refresh, since the next one comes', () => {
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^RefreshFunction') },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 300,
    });
  });

  it.each([
    [300, 'rate(5 minutes)', 360],
    [45, 'rate(1 minute)', 300],
    [3600, 'rate(1 hour)', 3660],
    [3_000_000, 'rate(50000 minutes)', 86_400],
  ])(
    'looks for refreshes that fail or find servers down over as long as they are apart: %s s',
    (refresh_s, rate, period) => {
      const { template } = synthesize({}, (config) => {
        config.registry.refresh_s = refresh_s;
      });
      template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: rate });
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'Errors',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: Match.stringLikeRegexp('^RefreshFunction') } }],
        Period: period,
        Threshold: 1,
        EvaluationPeriods: 2,
      });
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'UpstreamDown',
        Period: period,
        Threshold: 1,
        EvaluationPeriods: 3,
      });
    },
    SYNTH_MS,
  );

  it('shows the warnings of both functions, with the names that log lines bear', () => {
    const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
    const body = JSON.stringify(dashboard?.['Properties'].DashboardBody);
    expect(body).toMatch(
      /SOURCE '.*GatewayLogs.*SOURCE '.*RefreshLogs.*fields time, level, msg, server, upstream, outcome, error/,
    );
  });

  it('refreshes on schedule, keeps logs for a time, and tells somebody when something is wrong', () => {
    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
    for (const { Properties } of Object.values(template.findResources('AWS::Logs::LogGroup'))) {
      expect(Properties.RetentionInDays).toBe(30);
    }
    template.resourceCountIs('AWS::CloudWatch::Alarm', 5);
    template.hasResourceProperties('AWS::CloudWatch::Alarm', { Namespace: 'AWS/ApiGateway', MetricName: '5XXError' });
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'alarms@example.com' });
    template.hasOutput('Url', {});
  });

  it(
    'starts servers of pinned packages from a layer, and confines only a function that starts none',
    () => {
      template.resourceCountIs('AWS::Lambda::LayerVersion', 1);
      expect(JSON.stringify(template.toJSON())).not.toContain('--permission');
      const { template: closed } = synthesize({}, (config) => {
        config.upstream = config.upstream.filter(({ transport }) => transport !== 'stdio');
      });
      closed.resourceCountIs('AWS::Lambda::LayerVersion', 0);
      for (const { Properties } of Object.values(closed.findResources('AWS::Lambda::Function'))) {
        expect(Properties.Environment.Variables.NODE_OPTIONS).toMatch(/^--permission --allow-worker /);
        expect(Properties.Environment.Variables.NODE_OPTIONS).not.toMatch(/child-process|fs-write/);
      }
    },
    SYNTH_MS,
  );

  it('has functions of a size that starts quickly, with every interpreter as a file', () => {
    const folder = bundleFunction('test-size', { entry: 'functions/mcp.ts', sandbox: true });
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = all.filter((file) => statSync(join(folder, file)).isFile());
    const packed = files.map((file) => deflateRawSync(readFileSync(join(folder, file))).length);
    expect(packed.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_ZIPPED_BYTES);
    expect(files).toEqual(expect.arrayContaining(['index.mjs', 'sandbox/worker.mjs', 'sandbox/quickjs.wasm']));
    expect(files.some((file) => file.endsWith('.map'))).toBe(false);
  });

  it('ships a configuration in which every secret is still a reference', () => {
    const config = deployExample();
    const shipped = runtimeConfig(config, config.upstream);
    const read = JSON.parse(shipped) as Config;
    expect(read.auth?.jwt_secret).toBe('${secret:mcp-code-mode/webui#WEBUI_SECRET_KEY}');
    expect(read).not.toHaveProperty('deploy');
    expect(read).toMatchObject({
      server: { transport: 'http' },
      log: { level: 'info' },
      limits: { max_tool_calls: 1000 },
    });
    for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function'))) {
      const names = Object.keys(Properties.Environment.Variables).filter((name) => name !== 'NODE_OPTIONS');
      expect(names).toEqual(['TABLE_NAME', 'BUCKET_NAME']);
    }
  });
});

describe('the stack', () => {
  it(
    'with a function URL streams without API Gateway',
    () => {
      const { template } = synthesize({ endpoint: 'function-url' });
      template.hasResourceProperties('AWS::Lambda::Url', { InvokeMode: 'RESPONSE_STREAM', AuthType: 'NONE' });
      template.resourceCountIs('AWS::ApiGateway::RestApi', 0);
      template.hasResourceProperties('AWS::CloudWatch::Alarm', { Namespace: 'AWS/Lambda', MetricName: 'Url5xxCount' });
    },
    SYNTH_MS,
  );

  it(
    'with isolation takes the tenant from an authorizer that verified the token, never from the client',
    () => {
      const { template } = synthesize({ isolation: 'per-user' }, (config) => {
        config.auth!.mint = { issuer: 'https://tools.example.org', alg: 'HS256', key: '${secret:mint-key}' };
      });
      template.hasResourceProperties('AWS::Lambda::Function', { TenancyConfig: { TenantIsolationMode: 'PER_TENANT' } });
      template.hasResourceProperties('AWS::ApiGateway::Authorizer', {
        Type: 'REQUEST',
        AuthorizerResultTtlInSeconds: 0,
      });
      for (const { Properties } of Object.values(template.findResources('AWS::ApiGateway::Method'))) {
        expect(Properties.AuthorizationType).toBe('CUSTOM');
        expect(Properties.Integration.RequestParameters).toEqual({
          'integration.request.header.X-Amz-Tenant-Id': 'context.authorizer.tenant',
        });
      }
      const authorizer = statements(template).filter(({ role }) => role.startsWith('Tenant'));
      expect(JSON.stringify(authorizer)).toContain('secretsmanager:GetSecretValue');
      expect(JSON.stringify(authorizer)).not.toMatch(/dynamodb|mint-key/);
      const gateway = statements(template).filter(({ role }) => role.startsWith('Gateway'));
      expect(JSON.stringify(gateway)).toContain('mint-key');
    },
    SYNTH_MS,
  );

  it.each([
    [undefined, '.execute-api.', '/prod/.well-known/oauth-protected-resource'],
    ['mcp.example.com', 'https://mcp.example.com/.well-known/oauth-protected-resource', ''],
  ])(
    'with isolation refuses in words the protocol knows, and says where tokens come from (domain: %s)',
    (name, ...parts) => {
      const { template } = synthesize({ isolation: 'per-user' }, (config) => {
        config.auth = {
          ...config.auth!,
          jwks_url: 'https://login.example.org/jwks',
          issuer: 'https://login.example.org',
        };
        const certificate_arn = 'arn:aws:acm:eu-central-1:123456789012:certificate/x';
        if (name) config.deploy.domain = { name, certificate_arn };
      });
      const [response] = Object.values(template.findResources('AWS::ApiGateway::GatewayResponse'));
      const { ResponseParameters, ResponseTemplates, ResponseType } = response!['Properties'];
      expect(ResponseType).toBe('UNAUTHORIZED');
      const challenge = JSON.stringify(ResponseParameters['gatewayresponse.header.WWW-Authenticate']);
      for (const part of ['Bearer resource_metadata', ...parts]) expect(challenge).toContain(part);
      expect(JSON.parse(ResponseTemplates['application/json'])).toMatchObject({ error: { code: -32000 } });
    },
    SYNTH_MS,
  );

  it(
    'lets a secret be named by its ARN, whole or without the six characters that Secrets Manager adds',
    () => {
      const arn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:team/key';
      const { template } = synthesize({}, (config) => {
        config.upstream[0]!.headers = { a: `\${secret:${arn}}`, b: `\${secret:${arn}-AbC123#x.y}` };
      });
      const [read] = statements(template).filter(
        ({ role, Action }) => role.startsWith('Refresh') && Action === 'secretsmanager:GetSecretValue',
      );
      expect(read?.Resource).toEqual([`${arn}-??????`, `${arn}-AbC123`]);
    },
    SYNTH_MS,
  );

  it(
    'with a domain of its own serves there alone',
    () => {
      const { template } = synthesize({}, (config) => {
        const certificate_arn = 'arn:aws:acm:eu-central-1:123456789012:certificate/x';
        config.deploy.domain = { name: 'mcp.example.com', certificate_arn };
      });
      template.hasResourceProperties('AWS::ApiGateway::DomainName', {
        DomainName: 'mcp.example.com',
        SecurityPolicy: 'TLS_1_2',
      });
      template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
      template.hasOutput('Url', { Value: 'https://mcp.example.com/mcp' });
    },
    SYNTH_MS,
  );
});
