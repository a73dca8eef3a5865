'use client'
/** The series that the charts draw. */
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import type { Range } from './use-range'

type MetricsResponse = Outputs['observability']['metrics']
export type MetricName = MetricsResponse['metric']
export type Series = MetricsResponse

/** The metrics that the page of metrics draws. */
export const pageMetrics = [
  'requests',
  'bytes',
  'responses_2xx',
  'responses_3xx',
  'responses_4xx',
  'responses_5xx',
  'responses_404',
  'latency_p50',
  'latency_p95',
  'latency_p99',
] as const satisfies MetricName[]

/**
 * Each metric in the range, for a project or the whole team. A range that ends now is read again as it moves
 * on.
 */
export function useSeries(
  names: readonly MetricName[],
  { range, isMoving, project }: { range: Range; isMoving: boolean; project: string | undefined },
) {
  const trpc = useTRPC()
  // A minute's range moves on once a minute: it would else be another query every few seconds.
  const [since_ms, until_ms] = [range.sinceMs, range.untilMs].map((ms) => Math.ceil(ms / 60_000) * 60_000)
  return useQueries({
    queries: names.map((metric) =>
      trpc.observability.metrics.queryOptions(
        { metric, since_ms, until_ms, ...(project !== undefined && { project }) },
        { placeholderData: keepPreviousData, ...(isMoving && { refetchInterval: 10_000 }) },
      ),
    ),
    combine: (results) => ({
      series: results.flatMap(({ data }) => data ?? []),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      isPending: results.some(({ isPending }) => isPending),
      refetch: () => {
        for (const { refetch } of results) refetch()
      },
    }),
  })
}
