/** The series of a node, each read only when somebody asks, and Prometheus' text format (version 0.0.4). */
import type { Histogram } from './histogram.ts'

type Labels = Record<string, string>

export type Sample = { labels: Labels; value: number }

/** `counts` and `bounds` as those of a `Histogram`. */
export type Distribution = { labels: Labels; bounds: readonly number[]; counts: number[]; sum: number }

/**
 * Names and units follow Prometheus' conventions. Label values come from lists in the code, never from
 * clients.
 */
type Head = { name: string; help: string; labels: readonly string[] }

/**
 * `read` gives a sample for each combination of labels that there is; the series is left out where there are
 * none.
 */
export type Series = Head &
  (
    | { type: 'counter' | 'gauge'; read: () => Sample[] | Promise<Sample[]> }
    | { type: 'histogram'; read: () => { labels: Labels; histogram: Histogram }[] }
  )

/** A series with the values that were read; as a JSON value it can be sent to another process. */
export type Family = { name: string; help: string } & (
  | { type: 'counter' | 'gauge'; samples: Sample[] }
  | { type: 'histogram'; samples: Distribution[] }
)

/** The values of all series now. Rejects as the first one does that can't be read. */
export function readFamilies(all: Series[]): Promise<Family[]> {
  return Promise.all(all.map(readFamily))
}

async function readFamily(series: Series): Promise<Family> {
  const { name, help, type } = series
  if (type !== 'histogram') return { name, help, type, samples: await series.read() }
  const samples = series.read().map(({ labels, histogram: { bounds, counts, sum } }) => ({
    labels,
    bounds,
    counts: [...counts],
    sum,
  }))
  return { name, help, type, samples }
}

export function textOf(families: Family[]): string {
  return families.map(textOfFamily).join('\n')
}

function textOfFamily(family: Family): string {
  const { name, help, type } = family
  const lines =
    type === 'histogram'
      ? family.samples.flatMap((sample) => bucketLines(name, sample))
      : family.samples.map(({ labels, value }) => lineOf(name, labels, value))
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

/** As cumulative buckets, with sum and count. */
function bucketLines(name: string, { labels, bounds, counts, sum }: Distribution): string[] {
  let below = 0
  const buckets = counts.map((count, at) => {
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
