import { Duration, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

const PERIOD = Duration.minutes(5);

/** What is watched. */
export interface AlarmsProps {
  gateway: LambdaFunction;
  refresh: LambdaFunction;
  /** How many upstreams could not be listed. */
  upstreamsDown: IMetric;
  /** Where alarms are mailed to; absent: they are only shown. */
  email?: string | undefined;
}

/** Alarms for what somebody should look at, mailed where an address is given. */
export class Alarms extends Construct {
  readonly alarms: Alarm[] = [];

  constructor(scope: Construct, id: string, { gateway, refresh, upstreamsDown, email }: AlarmsProps) {
    super(scope, id);
    const watch = (name: string, alarmDescription: string, metric: IMetric, threshold: number, periods = 1) => {
      const alarm = new Alarm(this, name, {
        alarmDescription,
        metric,
        threshold,
        evaluationPeriods: periods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      this.alarms.push(alarm);
    };
    const sum = { statistic: Stats.SUM, period: PERIOD };
    watch('Errors', 'The gateway failed on requests; see its log', gateway.metricErrors(sum), 1);
    watch('Throttles', 'Requests were turned away; raise deploy.reserved_concurrency', gateway.metricThrottles(sum), 1);
    watch('RefreshErrors', 'Upstreams could not be re-listed at all', refresh.metricErrors(sum), 2, 2);
    watch('UpstreamsDown', 'An upstream has not answered for a while; see list_servers', upstreamsDown, 1, 3);
    if (!email) return;
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(topic));
    Validations.of(topic).acknowledge({
      id: 'AwsSolutions-SNS2',
      reason: 'Alarms hold names and counts only; the free AWS key does not let CloudWatch publish.',
    });
  }
}
