import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  Architecture,
  Code,
  type ILayerVersion,
  Function as LambdaFunction,
  Runtime,
  type TenancyConfig,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type BundleOptions, bundleFunction } from './bundle.ts';
import { functionRole } from './function-role.ts';

/** What is common to the gateway's functions, and what may differ. */
export interface GatewayFunctionProps {
  description: string;
  bundle: BundleOptions;
  memoryMb: number;
  timeout: Duration;
  environment: Record<string, string>;
  logRetentionDays: number;
  tracing: boolean;
  /** Node's permission model: for functions that start no processes. */
  confined: boolean;
  layers?: ILayerVersion[];
  reservedConcurrency?: number | undefined;
  /** For functions that events start: how long one may wait, and that it is not repeated when it fails. */
  maxEventAge?: Duration;
  tenancy?: TenancyConfig | undefined;
}

/** Where the code itself and Lambda's runtime are. */
const READABLE = ['/var/task', '/var/runtime', '/var/lang', '/opt'];

/**
 * Node's own options for no child processes, no writing, and no reading but below these folders. Workers run the scripts;
 * add-ons are how Lambda's runtime talks to Lambda.
 */
export function confinement(readable: readonly string[] = READABLE): string[] {
  const allowed = ['--allow-worker', '--allow-addons', ...readable.map((path) => `--allow-fs-read=${path}/*`)];
  // Node warns of both allowances at every start, into the log.
  return ['--permission', ...allowed, '--disable-warning=PERM0001', '--disable-warning=PERM0006'];
}

/** A function of the gateway: arm64, Node 24, bundled, with a log group and a role of its own. */
export class GatewayFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: GatewayFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundleFunction(id, props.bundle)),
      memorySize: props.memoryMb,
      timeout: props.timeout,
      role: functionRole(this, 'Role', logGroup),
      logGroup,
      tracing: props.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      layers: props.layers ?? [],
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.maxEventAge ? { maxEventAge: props.maxEventAge, retryAttempts: 0 } : {}),
      ...(props.tenancy ? { tenancyConfig: props.tenancy } : {}),
      environment: {
        ...props.environment,
        ...(props.confined ? { NODE_OPTIONS: confinement().join(' ') } : {}),
      },
    });
    if (props.tracing) {
      Validations.of(this).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'X-Ray has no resources to name: its permission to put segments is for * or not at all.',
      });
    }
  }
}
