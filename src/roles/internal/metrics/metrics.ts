/** Serves `GET /metrics`: the series of this node and of its processes. */
import type { Reply } from '../reply.ts'
import { addUp } from './add-up.ts'
import { readProcess, textOfProcess, textOfProcesses } from './process-series.ts'
import type { Readings } from './readings.ts'
import { readFamilies, type Series, textOf } from './series.ts'

export type Metrics = () => Promise<Reply>

/** The text of `series`, to which what the other processes of the node report is added. */
export function createMetrics(series: Series[], others?: () => Promise<Readings[]>): Metrics {
  return async () => {
    const texts = others ? await textsOfAll(series, await others()) : await textsOfOne(series)
    return {
      status: 200,
      text: texts.join('\n').trimEnd(),
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
    }
  }
}

async function textsOfOne(series: Series[]): Promise<string[]> {
  const [families, ofProcess] = await Promise.all([readFamilies(series), textOfProcess()])
  return [textOf(families), ofProcess]
}

async function textsOfAll(series: Series[], others: Readings[]): Promise<string[]> {
  const [families, own] = await Promise.all([readFamilies(series), readProcess()])
  const added = addUp(
    families,
    others.map((each) => each.families),
  )
  return [textOf(added), await textOfProcesses([own, ...others.map(({ process }) => process)])]
}
