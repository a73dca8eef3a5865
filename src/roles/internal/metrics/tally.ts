/** Counters by a label. */

export type Tally<K> = {
  add(what: K): void
  entries(): [K, number][]
}

/** Each of `known` is reported from the start, so that the first event is an increase. */
export function createTally<K extends string | number>(known: readonly K[] = []): Tally<K> {
  const counts = new Map<K, number>(known.map((each) => [each, 0]))
  return {
    add: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    entries: () => [...counts],
  }
}
