import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Log, LogFields } from '../lib/log.ts';
import { METRICS, METRICS_NAMESPACE, METRICS_SERVICE } from './metric-names.ts';

/** Metrics drawn from log lines, so that the rest of the house need not know of them. */
export interface LogMetrics {
  log: Log;
  /** Writes what has been counted since, in CloudWatch's embedded format; at the end of every request. */
  flush(): void;
}

/** What the lines of a refresh say of an upstream. */
const UPSTREAM_DOWN: Record<string, 0 | 1> = {
  'upstream failed': 1,
  'upstream connected': 0,
  'upstream reconnected': 0,
  'upstream listed': 0,
};

/** Counts what passes through a log: executions, their failures, durations and tool calls; upstreams that are down. */
export function countLog(log: Log): LogMetrics {
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE, serviceName: METRICS_SERVICE });
  const one = (name: string, dimension: string, label: string, value: number) => {
    const single = metrics.singleMetric();
    single.addDimension(dimension, label);
    single.addMetric(name, MetricUnit.Count, value);
  };

  const countExecution = ({ outcome, durationMs, toolCalls }: LogFields) => {
    metrics.addMetric(METRICS.executions, MetricUnit.Count, 1);
    metrics.addMetric(METRICS.duration, MetricUnit.Milliseconds, Number(durationMs ?? 0));
    metrics.addMetric(METRICS.toolCalls, MetricUnit.Count, Number(toolCalls ?? 0));
    if (outcome !== 'ok') one(METRICS.failures, 'code', String(outcome), 1);
  };

  return {
    log(level, msg, fields = {}) {
      log(level, msg, fields);
      if (msg === 'execute code') countExecution(fields);
      const down = UPSTREAM_DOWN[msg];
      if (down === undefined || fields['upstream'] === undefined) return;
      metrics.addMetric(METRICS.upstreamDown, MetricUnit.Count, down);
      one(METRICS.upstreamDown, 'server', String(fields['upstream']), down);
    },
    flush() {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
