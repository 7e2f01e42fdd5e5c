import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

const SECONDS_PER_MINUTE = 60;

/** How far apart two refreshes are: `registry.refresh_s` in whole minutes, as EventBridge counts. */
export function refreshInterval(refreshS: number): Duration {
  return Duration.minutes(Math.max(1, Math.round(refreshS / SECONDS_PER_MINUTE)));
}

/** Re-lists the upstreams over and over. */
export class RefreshSchedule extends Construct {
  constructor(scope: Construct, id: string, { handler, interval }: { handler: LambdaFunction; interval: Duration }) {
    super(scope, id);
    new Rule(this, 'Rule', {
      schedule: Schedule.rate(interval),
      // The next one comes soon enough.
      targets: [new LambdaTarget(handler, { retryAttempts: 0 })],
    });
  }
}
