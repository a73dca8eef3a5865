/** Loads families in batches: requests during one query are combined in the next. */
import { within } from '../../../lib/async/within.ts'
import type { Store } from '../../../stores/db/store.ts'
import { type Claims, loadClaims, loadFamily, type OwnZones } from './load.ts'
import type { Family } from './zone.ts'

/** `family` is undefined if nothing is verified. */
export type Loaded = { serial: number; family: Family | undefined }

/** Queued names; beyond this limit requests fail. */
const maxWaiting = 2_000
const maxRound = 200

/** Families whose records are read concurrently, since each may be large. */
const maxReading = 8

/** In milliseconds: how long a question waits for the database, and the pause after a failure. */
const roundMs = 3_000
const pauseMs = 300

type Waiting = { name: string; resolve: (loaded: Loaded) => void; reject: (error: unknown) => void }

type Options = OwnZones & {
  store: Store
  /** Milliseconds of a monotonic clock. */
  now: () => number
}

/** The loader of families; it rejects what the database doesn't return within seconds. */
export function createRounds({
  store: { db, lookUps },
  now,
  ...ownZones
}: Options): (registrable: string) => Promise<Loaded> {
  const waiting: Waiting[] = []
  let isRunning = false
  let restUntilMs = Number.NEGATIVE_INFINITY

  async function runAll(): Promise<void> {
    isRunning = true
    // Requests of the same tick are batched.
    await null
    while (waiting.length > 0) await run(waiting.splice(0, maxRound))
    isRunning = false
  }

  async function run(round: Waiting[]): Promise<void> {
    const reject = (error: unknown) => {
      restUntilMs = now() + pauseMs
      for (const each of [...round, ...waiting.splice(0)]) each.reject(error)
    }
    const late = () => reject(new Error('The database timed out.'))
    await within(roundMs, readRound(round), late).catch(reject)
  }

  async function readRound(round: Waiting[]): Promise<void> {
    const claims = await loadClaims(
      lookUps,
      round.map(({ name }) => name),
    )
    const queue = round.values()
    await Promise.all(Array.from({ length: maxReading }, () => readQueue(queue, claims)))
  }

  async function readQueue(queue: Iterator<Waiting>, claims: Map<string, Claims>): Promise<void> {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { name, resolve, reject } = next.value
      const found = claims.get(name) ?? { serial: 0, proven: [], domainIds: [] }
      try {
        resolve({ serial: found.serial, family: await loadFamily(db, name, found, ownZones) })
      } catch (error) {
        // A broken family must not block the others.
        reject(error)
      }
    }
  }

  return (name) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting || now() < restUntilMs) {
        reject(new Error('The database is busy or unavailable.'))
        return
      }
      waiting.push({ name, resolve, reject })
      if (!isRunning) void runAll()
    })
}
