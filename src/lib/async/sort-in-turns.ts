/** Sorts long lists in pieces, for `inTurns`. */

/** The most items that are sorted in one piece. */
const runLength = 500

/**
 * The items in their order, those that are equal as they came: pieces that are sorted at once, then merged by
 * twos.
 */
export function* sortInTurns<T>(items: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  if (right.length === 0) return left
  const merged: T[] = []
  let at = 0
  for (const item of left) {
    for (let next = right[at]; next !== undefined && compare(next, item) < 0; next = right[at]) {
      merged.push(next)
      at += 1
    }
    merged.push(item)
    yield
  }
  for (const item of right.slice(at)) merged.push(item)
  return merged
}
