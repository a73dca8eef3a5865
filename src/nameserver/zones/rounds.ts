/** Loads families in rounds: what is asked for while one round is under way is one query of the next. */
import { within } from '../../async/within.ts'
import type { Store } from '../../db/store.ts'
import { type Claims, loadClaims, loadFamily } from './load.ts'
import type { Family } from './zone.ts'

/** `family` is undefined where nothing is proven. */
export type Loaded = { serial: number; family: Family | undefined }

/** Names that may wait; for more there is no answer, however many are asked for that nobody has. */
const maxWaiting = 2_000
const maxRound = 200

/** Families of which the records are read at the same time, since each may have many. */
const maxReading = 8

/** In milliseconds: how long a question waits for the database, and for how long it is left alone after a failure. */
const roundMs = 3_000
const pauseMs = 300

type Waiting = { name: string; resolve: (loaded: Loaded) => void; reject: (error: unknown) => void }

type Options = {
  store: Store
  /** By which names the zones are served. */
  nameservers: string[]
  /** Milliseconds of a clock that never jumps. */
  now: () => number
}

/** The loader of families; it rejects what the database can't tell within seconds. */
export function createRounds({
  store: { db, lookUps },
  nameservers,
  now,
}: Options): (registrable: string) => Promise<Loaded> {
  const waiting: Waiting[] = []
  let isRunning = false
  let restUntilMs = Number.NEGATIVE_INFINITY

  async function runAll(): Promise<void> {
    isRunning = true
    // Those who come in the same turn belong together.
    await null
    while (waiting.length > 0) await run(waiting.splice(0, maxRound))
    isRunning = false
  }

  async function run(round: Waiting[]): Promise<void> {
    const reject = (error: unknown) => {
      restUntilMs = now() + pauseMs
      for (const each of [...round, ...waiting.splice(0)]) each.reject(error)
    }
    const late = () => reject(new Error('The database takes too long.'))
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
        resolve({ serial: found.serial, family: await loadFamily(db, name, found, nameservers) })
      } catch (error) {
        // One that can't be read keeps nobody else's from being answered.
        reject(error)
      }
    }
  }

  return (name) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting || now() < restUntilMs) {
        reject(new Error('The database is busy or away.'))
        return
      }
      waiting.push({ name, resolve, reject })
      if (!isRunning) void runAll()
    })
}
