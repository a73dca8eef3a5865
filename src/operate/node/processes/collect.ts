/** Collects what the processes of a node count. */
import { within } from '../../../lib/async/within.ts'
import { addReadings, type Readings, withoutGauges } from '../../../roles/internal/metrics/readings.ts'

/** A process that doesn't report in this time counts with what it reported last. */
const readingMs = 1_000

export type Collection = {
  /** Adds a process that reports by `read`; the returned function keeps its counts once it has ended. */
  add(read: () => Promise<Readings>): () => void
  /** The reports of all processes, also of ended ones: the sums of counters never fall. */
  readAll(): Promise<Readings[]>
}

type Source = { read: () => Promise<Readings>; last: Readings | undefined }

export function createCollection(): Collection {
  const sources = new Set<Source>()
  let ended: Readings[] = []
  let isCompacting = false

  async function update(source: Source): Promise<void> {
    const reading = source.read().catch(() => source.last)
    source.last = await within(readingMs, reading, () => source.last)
  }

  /** However many processes have ended, they are kept as one. */
  async function compact(): Promise<void> {
    const [first, ...others] = ended
    if (!first || others.length === 0 || isCompacting) return
    isCompacting = true
    try {
      const sum = await addReadings([first, ...others])
      ended = [sum, ...ended.slice(others.length + 1)]
    } finally {
      isCompacting = false
    }
  }

  return {
    add(read) {
      const source: Source = { read, last: undefined }
      sources.add(source)
      return () => {
        sources.delete(source)
        if (source.last) ended.push(withoutGauges(source.last))
      }
    },
    async readAll() {
      await Promise.all([...sources].map(update))
      await compact()
      const present = [...sources].flatMap(({ last }) => last ?? [])
      return [...present, ...ended]
    },
  }
}
