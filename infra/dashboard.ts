import { Dashboard, GraphWidget, type IMetric, LogQueryWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { METRICS } from '../functions/metric-names.ts';
import { ERROR_CODES } from '../lib/errors.ts';
import { dailyCost, ownMetric } from './metrics.ts';

const HALF_WIDTH = 12;

export interface GatewayDashboardProps {
  name: string;
  gateway: LambdaFunction;
  refresh: LambdaFunction;
  memoryMb: number;
  servers: readonly string[];
}

/** One page: executions, errors by code, duration, tool calls, upstream health, what it costs, and the last warnings. */
export class GatewayDashboard extends Construct {
  constructor(scope: Construct, id: string, { name, gateway, refresh, memoryMb, servers }: GatewayDashboardProps) {
    super(scope, id);
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: HALF_WIDTH });
    const failed = ERROR_CODES.map((code) => ownMetric(METRICS.failures, Stats.SUM, { code }, code));
    const up = servers.map((server) => ownMetric(METRICS.upstreamDown, Stats.MAXIMUM, { server }, server));
    const duration = [Stats.p(50), Stats.p(95)].map((statistic) =>
      ownMetric(METRICS.duration, statistic, {}, statistic),
    );
    new Dashboard(this, 'Dashboard', {
      dashboardName: name,
      widgets: [
        [
          graph('Executions', [ownMetric(METRICS.executions, Stats.SUM, {})]),
          graph('Failed executions by code', failed),
        ],
        [
          graph('Duration of executions, ms', duration),
          graph('Tool calls', [ownMetric(METRICS.toolCalls, Stats.SUM, {})]),
        ],
        [
          graph('Upstreams down', up),
          graph('Estimated cost of running, dollars a day', [
            dailyCost(gateway.metricDuration(), gateway.metricInvocations(), memoryMb),
          ]),
        ],
        [
          new LogQueryWidget({
            title: 'Last warnings and errors',
            logGroupNames: [gateway, refresh].map(({ logGroup }) => logGroup.logGroupName),
            queryLines: [
              'fields time, level, msg, server, upstream, outcome, error, requestId',
              'filter level in ["WARN", "ERROR"]',
              'sort @timestamp desc',
              'limit 50',
            ],
            width: 2 * HALF_WIDTH,
          }),
        ],
      ],
    });
  }
}
