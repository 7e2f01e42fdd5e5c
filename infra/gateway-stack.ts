import { CfnOutput, Duration, Stack, type StackProps, Tags, Validations } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, LayerVersion, Runtime, TenancyConfig } from 'aws-cdk-lib/aws-lambda';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { METRICS } from '../functions/metric-names.ts';
import { CONFIG_FILE } from '../functions/runtime-config.ts';
import type { Config } from '../lib/config/schema.ts';
import { Alarms } from './alarms.ts';
import { GatewayDashboard } from './dashboard.ts';
import { GatewayFunction } from './gateway-function.ts';
import { ownMetric } from './metrics.ts';
import { RefreshSchedule, refreshInterval } from './refresh-schedule.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import { runtimeConfig } from './runtime-config.ts';
import { grantReferences } from './secret-access.ts';
import { Storage } from './storage.ts';
import { TenantAuthorizer } from './tenant-authorizer.ts';
import { upstreamPackages } from './upstream-packages.ts';
import { UrlEndpoint } from './url-endpoint.ts';

/** API Gateway and Lambda both stop here. */
const GATEWAY_TIMEOUT = Duration.minutes(15);
const REFRESH_TIMEOUT = Duration.minutes(5);
const REFRESH_MEMORY_MB = 512;
/** Of a server started by a command (those of the protocol's makers take 79), all of which a refresh starts at once. */
const SERVER_MEMORY_MB = 96;
const MAX_MEMORY_MB = 10_240;
/** A refresh that could not start by then is one too many: the next has been called. */
const REFRESH_EVENT_AGE = Duration.minutes(5);

/** What is chosen at synth (`-c key=value`), beside the configuration. */
export interface GatewayOptions {
  endpoint: 'rest' | 'function-url';
  /** `per-user`: each user's requests run in environments of their own. */
  isolation: 'shared' | 'per-user';
  /** Whether packages of servers started by `npx` are fetched; not for the offline synth. */
  install: boolean;
}

export interface GatewayStackProps extends StackProps {
  config: Config;
  options: GatewayOptions;
}

/** The gateway as one stack. */
export class GatewayStack extends Stack {
  constructor(scope: Construct, id: string, { config, options, ...props }: GatewayStackProps) {
    super(scope, id, { description: 'MCP Code Mode: one URL in front of many MCP servers', ...props });
    const { deploy } = config;
    Tags.of(this).add('application', 'mcp-code-mode');
    const packages = upstreamPackages(config, options.install);
    const runtime = runtimeConfig(config, packages.upstream);
    const files = { [CONFIG_FILE]: runtime };
    const storage = new Storage(this, 'Storage');
    const layers = packages.folder
      ? [
          new LayerVersion(this, 'Upstreams', {
            description: 'Servers started by a command',
            code: Code.fromAsset(packages.folder),
            compatibleRuntimes: [Runtime.NODEJS_24_X],
            compatibleArchitectures: [Architecture.ARM_64],
          }),
        ]
      : [];
    const common = {
      layers,
      environment: { TABLE_NAME: storage.table.tableName, BUCKET_NAME: storage.bucket.bucketName },
      logRetentionDays: deploy.log_retention_days,
      tracing: deploy.tracing,
      confined: deploy.permission_model && layers.length === 0,
    };

    const gateway = new GatewayFunction(this, 'Gateway', {
      ...common,
      description: 'MCP Code Mode: serves clients and runs scripts',
      bundle: { entry: 'functions/mcp.ts', sandbox: true, files },
      memoryMb: deploy.memory_mb,
      timeout: GATEWAY_TIMEOUT,
      reservedConcurrency: deploy.reserved_concurrency,
      tenancy: options.isolation === 'per-user' ? TenancyConfig.PER_TENANT : undefined,
    });
    gateway.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action}`),
        resources: [storage.table.tableArn],
      }),
    );
    gateway.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        resources: [storage.bucket.arnForObjects('code/*')],
      }),
    );
    // To those who may not list the bucket, S3 calls a missing object forbidden. A read has no prefix to bind this to.
    const listBodies = new PolicyStatement({ actions: ['s3:ListBucket'], resources: [storage.bucket.bucketArn] });
    gateway.lambda.addToRolePolicy(listBodies);
    grantReferences(this, gateway.lambda, [config.auth, config.upstream]);
    const bodies = {
      id: `AwsSolutions-IAM5[Resource::<${this.getLogicalId(storage.bucket.node.defaultChild as CfnBucket)}.Arn>/code/*]`,
      reason: 'The names of the bodies are made at run time; nothing but bodies is below code/.',
    };
    Validations.of(gateway).acknowledge(bodies);

    const commands = config.upstream.filter(({ transport }) => transport === 'stdio');
    const refresh = new GatewayFunction(this, 'Refresh', {
      ...common,
      description: 'MCP Code Mode: re-lists the upstreams',
      bundle: { entry: 'functions/refresh.ts', files },
      memoryMb: Math.min(REFRESH_MEMORY_MB + SERVER_MEMORY_MB * commands.length, MAX_MEMORY_MB),
      timeout: REFRESH_TIMEOUT,
      maxEventAge: REFRESH_EVENT_AGE,
    });
    refresh.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['GetItem', 'Query', 'PutItem', 'DeleteItem'].map((action) => `dynamodb:${action}`),
        resources: [storage.table.tableArn],
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['registry'] } },
      }),
    );
    // To mark stored scripts whose functions are gone.
    refresh.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['GetItem', 'Query', 'UpdateItem'].map((action) => `dynamodb:${action}`),
        resources: [storage.table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['code', 'code#*'] } },
      }),
    );
    refresh.lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['s3:GetObject'], resources: [storage.bucket.arnForObjects('code/*')] }),
    );
    refresh.lambda.addToRolePolicy(listBodies);
    grantReferences(this, refresh.lambda, config.upstream);
    Validations.of(refresh).acknowledge(bodies);
    const interval = refreshInterval(config.registry.refresh_s);
    new RefreshSchedule(this, 'Schedule', { handler: refresh.lambda, interval });

    const endpoint = this.endpoint(config, options, gateway, runtime);
    new Alarms(this, 'Alarms', {
      gateway: gateway.lambda,
      serverErrors: endpoint.serverErrors,
      refresh: refresh.lambda,
      interval,
      upstreamsDown: ownMetric(METRICS.upstreamDown, Stats.MAXIMUM, {}),
      email: deploy.alarm_email,
    });
    new GatewayDashboard(this, 'Dashboard', {
      name: this.stackName,
      gateway: gateway.lambda,
      refresh: refresh.lambda,
      memoryMb: deploy.memory_mb,
      servers: config.upstream.map(({ name }) => name),
    });
    new CfnOutput(this, 'Url', { description: 'Paste this into the MCP client, e.g. Open-WebUI', value: endpoint.url });
    new CfnOutput(this, 'TableName', { value: storage.table.tableName });
    new CfnOutput(this, 'BucketName', { value: storage.bucket.bucketName });
  }

  private endpoint(config: Config, options: GatewayOptions, gateway: GatewayFunction, runtime: string) {
    if (options.endpoint === 'function-url') return new UrlEndpoint(this, 'Endpoint', { handler: gateway.lambda });
    const rest = { handler: gateway.lambda, deploy: config.deploy, auth: config.auth };
    if (options.isolation === 'shared') return new RestEndpoint(this, 'Endpoint', rest);
    const tenant = new TenantAuthorizer(this, 'Tenant', { config, runtimeConfig: runtime });
    const { mint: _upstreams, ...verification } = config.auth ?? {};
    grantReferences(this, tenant.function.lambda, verification);
    return new RestEndpoint(this, 'Endpoint', { ...rest, authorizer: tenant.authorizer });
  }
}
