/** The names of metrics. */

/** The metrics that are sums of counts. */
export const sums = ['requests', 'bytes', 'errors'] as const

export const metricNames = [...sums, 'latency_p50', 'latency_p95', 'latency_p99'] as const
