/** Serves `GET /metrics`: the series of this node and of its process. */
import type { Reply } from '../reply.ts'
import { type Series, textOf } from './series.ts'

export type Metrics = () => Promise<Reply>

/** Memory, processor time, garbage collection, event loop lag: of the process, whatever nodes are in it. */
let ofProcess: Promise<() => Promise<string>> | undefined

async function openProcessSeries(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return () => registry.metrics()
}

/** prom-client is not loaded before the first scrape. */
export function createMetrics(series: Series[]): Metrics {
  return async () => {
    ofProcess ??= openProcessSeries()
    const readProcess = await ofProcess
    const texts = await Promise.all([textOf(series), readProcess()])
    return {
      status: 200,
      text: texts.join('\n').trimEnd(),
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
    }
  }
}
