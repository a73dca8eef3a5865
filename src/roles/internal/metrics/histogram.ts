/** A histogram of durations: plain fields, so that recording one costs a few nanoseconds. */

export type Histogram = {
  /** Upper bounds, ascending. */
  bounds: readonly number[]
  /** Counts per bucket: up to the bound at the same index; the last: above all bounds. */
  counts: Float64Array
  readonly sum: number
  observe(value: number): void
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Float64Array(bounds.length + 1)
  const sum = new Float64Array(1)
  return {
    bounds,
    counts,
    get sum() {
      return sum[0] ?? 0
    },
    observe(value) {
      let at = 0
      // Most values are in the first few.
      while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1
      counts[at] = (counts[at] ?? 0) + 1
      sum[0] = (sum[0] ?? 0) + value
    },
  }
}
