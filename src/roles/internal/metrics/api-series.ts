/** Counts of the API: requests and calls by operation, refusals of limits, repeats. */
import type { ApiObserver } from '../../../platform/observability/observers.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import type { Series } from './series.ts'
import { createTally, type Tally } from './tally.ts'

/** In seconds: a look-up takes one or two thousandths, a client may wait up to a minute. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

type Meter = { statuses: Tally<number>; durations: Histogram }

export function createApiSeries(): { observe: ApiObserver; series: Series[] } {
  const meters = new Map<string, Meter>()
  const refusals = createTally(['free', 'pro', 'enterprise', 'anonymous'])
  let replays = 0

  function meterOf(operation: string): Meter {
    const known = meters.get(operation)
    if (known) return known
    const meter = { statuses: createTally<number>(), durations: createHistogram(bounds) }
    meters.set(operation, meter)
    return meter
  }

  return {
    observe: {
      answered(operation, status, ms) {
        const { statuses, durations } = meterOf(operation)
        statuses.add(status)
        durations.observe(ms / 1_000)
      },
      limited: refusals.add,
      replayed() {
        replays += 1
      },
    },
    series: [
      {
        name: 'svc_api_requests_total',
        help:
          'Requests answered by the API, each call of a batch separately. ' +
          'operation: the procedure; upload, git, hook, auth, dashboard, home, docs, package, health; ' +
          'batch: refused before its calls; none: refused before an operation was found.',
        type: 'counter',
        labels: ['operation', 'status'],
        read: () =>
          [...meters].flatMap(([operation, { statuses }]) =>
            statuses
              .entries()
              .map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
          ),
      },
      {
        name: 'svc_api_request_duration_seconds',
        help:
          'Time from the head of a request to that of its response, ' +
          'including waits requested by clients.',
        type: 'histogram',
        labels: ['operation'],
        read: () =>
          [...meters].map(([operation, { durations }]) => ({ labels: { operation }, histogram: durations })),
      },
      {
        name: 'svc_rate_limit_refusals_total',
        help:
          'Requests refused by the rate limit of the team (its plan), ' +
          'the person (session) or the address (anonymous), or of opening streams.',
        type: 'counter',
        labels: ['policy'],
        read: () => refusals.entries().map(([policy, value]) => ({ labels: { policy }, value })),
      },
      {
        name: 'svc_idempotent_replays_total',
        help: 'Calls whose response was replayed for a repeated Idempotency-Key.',
        type: 'counter',
        labels: [],
        read: () => [{ labels: {}, value: replays }],
      },
    ],
  }
}
