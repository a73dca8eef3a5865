/** The series of a node, each read only when somebody asks, and Prometheus' text format (version 0.0.4). */
import type { Histogram } from './histogram.ts'

type Labels = Record<string, string>

type Sample = { labels: Labels; value: number }

type Distribution = { labels: Labels; histogram: Histogram }

/** Names and units follow Prometheus' conventions. Label values come from lists in the code, never from clients. */
type Head = { name: string; help: string; labels: readonly string[] }

/** `read` gives a sample for each combination of labels that there is; the series is left out where there are none. */
export type Series = Head &
  (
    | { type: 'counter' | 'gauge'; read: () => Sample[] | Promise<Sample[]> }
    | { type: 'histogram'; read: () => Distribution[] }
  )

/** The text of all series, whose values are read now. Rejects as the first one does that can't be read. */
export async function textOf(all: Series[]): Promise<string> {
  const families = await Promise.all(all.map(familyOf))
  return families.join('\n')
}

async function familyOf(series: Series): Promise<string> {
  const { name, help, type } = series
  const lines =
    series.type === 'histogram'
      ? series.read().flatMap(({ labels, histogram }) => bucketLines(name, labels, histogram))
      : (await series.read()).map(({ labels, value }) => lineOf(name, labels, value))
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

/** As cumulative buckets, with sum and count. */
function bucketLines(name: string, labels: Labels, { bounds, counts, sum }: Histogram): string[] {
  let below = 0
  const buckets = [...counts].map((count, at) => {
    below += count
    return lineOf(`${name}_bucket`, { ...labels, le: String(bounds[at] ?? '+Inf') }, below)
  })
  return [...buckets, lineOf(`${name}_sum`, labels, sum), lineOf(`${name}_count`, labels, below)]
}

function lineOf(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text, true)}"`)
  const selector = pairs.length > 0 ? `{${pairs.join(',')}}` : ''
  return `${name}${selector} ${value}`
}

function escaped(text: string, quoted = false): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return quoted ? plain.replaceAll('"', '\\"') : plain
}
