/** The counters of each process of a node, and of all of them together. */
import { addUp } from './add-up.ts'
import { addUpProcesses, type ProcessMetrics, readProcess } from './process-series.ts'
import { type Family, readFamilies, type Series } from './series.ts'

/** Everything that one process reports, as a JSON value. */
export type Readings = { families: Family[]; process: ProcessMetrics }

export async function takeReadings(series: Series[]): Promise<Readings> {
  const [families, process] = await Promise.all([readFamilies(series), readProcess()])
  return { families, process }
}

/** The counts that stay when a process has ended, so that sums of counters never fall. */
export function withoutGauges({ families, process }: Readings): Readings {
  return {
    families: families.filter(({ type }) => type !== 'gauge'),
    process: process.filter(({ type }) => String(type) !== 'gauge'),
  }
}

/** The sum of what processes with the same series report. */
export async function addReadings([first, ...others]: [Readings, ...Readings[]]): Promise<Readings> {
  return {
    families: addUp(
      first.families,
      others.map(({ families }) => families),
    ),
    process: await addUpProcesses([first, ...others].map(({ process }) => process)),
  }
}
