import { Duration } from 'aws-cdk-lib';
import { type IAuthorizer, IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { CONFIG_FILE } from '../functions/runtime-config.ts';
import type { Config } from '../lib/config/schema.ts';
import { GatewayFunction } from './gateway-function.ts';

const MEMORY_MB = 256;
const TIMEOUT = Duration.seconds(10);

export interface TenantAuthorizerProps {
  config: Config;
  runtimeConfig: string;
}

/** Verifies the token before the gateway runs, and names the tenant whose environment is to run it. */
export class TenantAuthorizer extends Construct {
  readonly function: GatewayFunction;
  readonly authorizer: IAuthorizer;

  constructor(scope: Construct, id: string, { config, runtimeConfig }: TenantAuthorizerProps) {
    super(scope, id);
    this.function = new GatewayFunction(this, 'Authorize', {
      description: 'Verifies a token and names the tenant it belongs to',
      bundle: { entry: 'functions/authorize.ts', files: { [CONFIG_FILE]: runtimeConfig } },
      memoryMb: MEMORY_MB,
      timeout: TIMEOUT,
      environment: {},
      logRetentionDays: config.deploy.log_retention_days,
      tracing: config.deploy.tracing,
      confined: config.deploy.permission_model,
    });
    this.authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: this.function.lambda,
      // No cache: a token ends when it ends. The method is there on every request, so that ours decides on all of them.
      identitySources: [IdentitySource.context('httpMethod')],
      resultsCacheTtl: Duration.seconds(0),
    });
  }
}
