/** Answers `GET /metrics`: the series of this node, and those of the process that it is in. */
import type { Reply } from '../reply.ts'
import type { Series } from './series.ts'

export type Metrics = () => Promise<Reply>

/** Memory, processor time, garbage collection, lag of the event loop: of the process, however many nodes are in it. */
let ofProcess: Promise<() => Promise<string>> | undefined

async function openProcessSeries(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return () => registry.metrics()
}

/** Nothing is loaded before the first scrape: what happens is counted all the same. */
export function createMetrics(series: Series[]): Metrics {
  const open = async () => {
    const { createRegistry } = await import('./series.ts')
    return createRegistry(series)
  }
  let opened: ReturnType<typeof open> | undefined
  return async () => {
    opened ??= open()
    ofProcess ??= openProcessSeries()
    const [registry, readProcess] = await Promise.all([opened, ofProcess])
    const texts = await Promise.all([registry.metrics(), readProcess()])
    return {
      status: 200,
      text: texts.join('\n').trimEnd(),
      headers: { 'Content-Type': registry.contentType },
    }
  }
}
