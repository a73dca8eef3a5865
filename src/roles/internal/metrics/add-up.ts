/**
 * Adds up the series of several processes: their counters, their gauges and the buckets of their histograms.
 */
import type { Distribution, Family, Sample } from './series.ts'

/**
 * The series of `first`, to which those of the same names in `others` are added; each combination of labels
 * apart.
 */
export function addUp(first: Family[], others: Family[][]): Family[] {
  return first.map((family) => {
    const same = others.flatMap((each) => each.filter(({ name }) => name === family.name))
    return same.reduce(addFamily, family)
  })
}

function addFamily(sum: Family, more: Family): Family {
  if (sum.type === 'histogram') {
    return more.type === 'histogram' ? { ...sum, samples: merge(sum.samples, more.samples, addBuckets) } : sum
  }
  return more.type === 'histogram' ? sum : { ...sum, samples: merge(sum.samples, more.samples, addValues) }
}

function merge<S extends { labels: Record<string, string> }>(
  sum: S[],
  more: S[],
  add: (one: S, other: S) => S,
): S[] {
  const merged = new Map(sum.map((sample) => [keyOf(sample), sample]))
  for (const sample of more) {
    const known = merged.get(keyOf(sample))
    merged.set(keyOf(sample), known ? add(known, sample) : sample)
  }
  return [...merged.values()]
}

/** The names of labels come in the order of the code that reads the series. */
function keyOf({ labels }: { labels: Record<string, string> }): string {
  return JSON.stringify(labels)
}

function addValues(one: Sample, other: Sample): Sample {
  return { ...one, value: one.value + other.value }
}

function addBuckets(one: Distribution, other: Distribution): Distribution {
  const counts = one.counts.map((count, at) => count + (other.counts[at] ?? 0))
  return { ...one, counts, sum: one.sum + other.sum }
}
