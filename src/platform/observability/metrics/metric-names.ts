/** The names of metrics. */

/** The metrics that have always been counted. */
export const totals = ['requests', 'bytes', 'errors'] as const

/** Counts by status: responses of a class, which includes those of 404, and these alone. */
const statusCounts = [
  'responses_2xx',
  'responses_3xx',
  'responses_4xx',
  'responses_5xx',
  'responses_404',
] as const

/** The metrics that are sums of counts. */
export const sums = [...totals, ...statusCounts] as const

export const metricNames = [...sums, 'latency_p50', 'latency_p95', 'latency_p99'] as const
