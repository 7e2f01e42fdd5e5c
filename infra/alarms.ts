import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

const PERIOD = Duration.minutes(5);

/** What refreshes tell is looked at over a little more than they are apart, so that each look finds one. */
const LATER = Duration.minutes(1);

/** CloudWatch looks back seven days at most, over all periods of an alarm. */
const MAX_PERIOD = Duration.days(1);

/** What is watched. */
export interface AlarmsProps {
  gateway: LambdaFunction;
  /** Answers of 500 and above. */
  serverErrors: IMetric;
  refresh: LambdaFunction;
  /** How far apart two refreshes are. */
  interval: Duration;
  /** How many upstreams could not be listed. */
  upstreamsDown: Metric;
  /** Where alarms are mailed to; absent: they are only shown. */
  email?: string | undefined;
}

/** Alarms for what somebody should look at, mailed where an address is given. */
export class Alarms extends Construct {
  readonly alarms: Alarm[] = [];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { gateway, refresh, interval, upstreamsDown, email } = props;
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
    watch('Errors', 'The gateway died of requests; see its log', gateway.metricErrors(sum), 1);
    watch('ServerErrors', 'Requests were answered with 5xx; see the log', props.serverErrors, 1);
    watch('Throttles', 'Requests were turned away; raise deploy.reserved_concurrency', gateway.metricThrottles(sum), 1);
    const seconds = interval.toSeconds() + LATER.toSeconds();
    const period = Duration.seconds(Math.min(Math.max(seconds, PERIOD.toSeconds()), MAX_PERIOD.toSeconds()));
    const failedRefreshes = refresh.metricErrors({ ...sum, period });
    watch('RefreshErrors', 'Upstreams could not be re-listed at all', failedRefreshes, 1, 2);
    const down = upstreamsDown.with({ period });
    watch('UpstreamsDown', 'An upstream has not answered for a while; see list_servers', down, 1, 3);
    if (!email) return;
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // The policy that enforces TLS stands in place of the default one, by which the account's alarms may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(topic));
    Validations.of(topic).acknowledge({
      id: 'AwsSolutions-SNS2',
      reason: 'Alarms hold names and counts only; the free AWS key does not let CloudWatch publish.',
    });
  }
}
