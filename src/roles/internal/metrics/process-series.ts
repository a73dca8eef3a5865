/** Memory, processor time, garbage collection, event loop lag: of a process, whatever nodes are in it. */
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

/** Metrics of prom-client, as JSON values. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[]

let ofThis: Promise<Registry> | undefined

/** prom-client is not loaded before the first scrape. */
function registryOfThis(): Promise<Registry> {
  ofThis ??= (async () => {
    const { collectDefaultMetrics, Registry } = await import('prom-client')
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    return registry
  })()
  return ofThis
}

/** The series of this process. */
export async function readProcess(): Promise<ProcessMetrics> {
  return (await registryOfThis()).getMetricsAsJSON()
}

/** The same in Prometheus' text format. */
export async function textOfProcess(): Promise<string> {
  return (await registryOfThis()).metrics()
}

/** Series that are not added up: the worst process counts, and the one that has run the longest. */
const rules: [pattern: RegExp, aggregator: 'max' | 'min'][] = [
  [/^nodejs_eventloop_lag_min_seconds$/, 'min'],
  [/^nodejs_eventloop_lag_/, 'max'],
  [/^process_start_time_seconds$/, 'min'],
  [/^process_max_fds$/, 'min'],
]

/** The metrics of several processes as those of one. */
export async function addUpProcesses(all: ProcessMetrics[]): Promise<ProcessMetrics> {
  return (await registryOf(all)).getMetricsAsJSON()
}

/** The same in Prometheus' text format. */
export async function textOfProcesses(all: ProcessMetrics[]): Promise<string> {
  return (await registryOf(all)).metrics()
}

async function registryOf(all: ProcessMetrics[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client')
  return AggregatorRegistry.aggregate(
    all.map((metrics) =>
      metrics.map((metric) => {
        const [, aggregator = metric.aggregator] = rules.find(([name]) => name.test(metric.name)) ?? []
        return { ...metric, aggregator }
      }),
    ),
  )
}
