/**
 * Counts of the edge for projects: of tens of thousands of responses a second, each adds to a few numbers
 * only.
 */
import type { ServedResponse } from '../../../platform/observability/response-observer.ts'
import { createHistogram } from './histogram.ts'
import type { Series } from './series.ts'

/** As much of a response as is counted. */
type Counted = Pick<ServedResponse, 'status' | 'bytes' | 'durationMs' | 'cache'>

/** In seconds: from memory far below a millisecond; a large file to a slow client takes minutes. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

export function createEdgeSeries(): { observe: (response: Counted) => void; series: Series[] } {
  const statuses = new Float64Array(classes.length + 1)
  const sources = { memory: 0, blob: 0, none: 0 }
  const durations = createHistogram(bounds)
  let sent = 0

  return {
    observe({ status, bytes, durationMs, cache }) {
      const at = (status / 100) | 0
      statuses[at] = (statuses[at] ?? 0) + 1
      sources[cache] += 1
      sent += bytes
      durations.observe(durationMs / 1_000)
    },
    series: [
      {
        name: 'svc_edge_requests_total',
        help: 'Responses for projects, including aborted ones. status: the class, such as 2xx.',
        type: 'counter',
        labels: ['status'],
        read: () => classes.map((status, at) => ({ labels: { status }, value: statuses[at + 1] ?? 0 })),
      },
      {
        name: 'svc_edge_sent_bytes_total',
        help: 'Bytes of the response bodies.',
        type: 'counter',
        labels: [],
        read: () => [{ labels: {}, value: sent }],
      },
      {
        name: 'svc_edge_answers_total',
        help:
          'Responses by the source of their bytes. ' +
          'cache: memory; blob, the blob store; none, a response without a file.',
        type: 'counter',
        labels: ['cache'],
        read: () => Object.entries(sources).map(([cache, value]) => ({ labels: { cache }, value })),
      },
      {
        name: 'svc_edge_request_duration_seconds',
        help: 'Time from the head of a request to the end of its response.',
        type: 'histogram',
        labels: [],
        read: () => [{ labels: {}, histogram: durations }],
      },
    ],
  }
}
