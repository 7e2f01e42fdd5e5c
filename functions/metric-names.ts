/** The namespace of the gateway's own metrics in CloudWatch. */
export const METRICS_NAMESPACE = 'McpCodeMode';

/** The dimension `service`, which every metric has. */
export const METRICS_SERVICE = 'gateway';

/** The gateway's own metrics; `failures` has a dimension `code`, `upstreamDown` one named `server`. */
export const METRICS = {
  executions: 'Executions',
  failures: 'FailedExecutions',
  duration: 'ExecutionMs',
  toolCalls: 'ToolCalls',
  upstreamDown: 'UpstreamDown',
} as const;
