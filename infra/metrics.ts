import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS_NAMESPACE, METRICS_SERVICE } from '../functions/metric-names.ts';

/** Lambda's price on arm64 for a second of one GB, and for a request, in dollars (eu-central-1, November 2026). */
const DOLLARS_PER_GB_S = 0.0000133334;
const DOLLARS_PER_REQUEST = 0.0000002;
const MB_PER_GB = 1024;
const DECIMALS = 12;
const MS_PER_S = 1000;

/** One of the gateway's own metrics, as `functions/metrics.ts` emits it. */
export function ownMetric(name: string, statistic: string, dimensions: Record<string, string>, label?: string): Metric {
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: name,
    statistic,
    dimensionsMap: { service: METRICS_SERVICE, ...dimensions },
    period: Duration.minutes(5),
    ...(label ? { label } : {}),
  });
}

/** What a function's run time and requests cost a day, in dollars. */
export function dailyCost(duration: Metric, invocations: Metric, memoryMb: number): MathExpression {
  const perMs = (DOLLARS_PER_GB_S * memoryMb) / MB_PER_GB / MS_PER_S;
  const daily = { statistic: Stats.SUM, period: Duration.days(1) };
  return new MathExpression({
    // Written out: CloudWatch would take the e of 1e-7 for a metric.
    expression: `duration * ${perMs.toFixed(DECIMALS)} + requests * ${DOLLARS_PER_REQUEST.toFixed(DECIMALS)}`,
    usingMetrics: { duration: duration.with(daily), requests: invocations.with(daily) },
    label: 'dollars a day',
    period: Duration.days(1),
  });
}
