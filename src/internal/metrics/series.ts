/** The series that a node tells of, each read only when somebody asks, in Prometheus' text format. */
import { Counter, Gauge, Histogram as PrometheusHistogram, Registry } from 'prom-client'
import type { Histogram } from './histogram.ts'

type Labels = Record<string, string>

type Sample = { labels: Labels; value: number }

type Distribution = { labels: Labels; histogram: Histogram }

/** Names and units as Prometheus' conventions have them. The values of labels come from lists in the code, never from clients. */
type Head = { name: string; help: string; labels: readonly string[] }

/** `read` gives a sample for each combination of labels that there is; none: nothing is told. */
export type Series = Head &
  (
    | { type: 'counter' | 'gauge'; read: () => Sample[] | Promise<Sample[]> }
    | { type: 'histogram'; read: () => Distribution[] }
  )

const kinds = { counter: Counter, gauge: Gauge, histogram: PrometheusHistogram }

/** A registry of its own with these series, since one process may have several nodes. */
export function createRegistry(all: Series[]): Registry {
  const registry = new Registry()
  for (const series of all) {
    const { name, help, type, labels } = series
    const metric = new kinds[type]({ name, help, labelNames: labels, registers: [registry] })
    // What it would count by itself is counted already, where that costs next to nothing.
    Object.assign(metric, {
      getForPromString: async () => ({ name, help, type, values: await valuesOf(series) }),
    })
  }
  return registry
}

async function valuesOf(series: Series) {
  if (series.type !== 'histogram') return series.read()
  return series.read().flatMap(({ labels, histogram }) => linesOf(series.name, labels, histogram))
}

/** As cumulative buckets, with sum and count. */
function linesOf(name: string, sharedLabels: Labels, { bounds, counts, sum }: Histogram) {
  let below = 0
  const buckets = [...counts].map((count, at) => {
    below += count
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? '+Inf' }, sharedLabels, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: below },
  ]
}
