/** Packs arrive in places of the node, which are held no longer than that, and not by those who are slow. */
import { AppError } from '../../../lib/errors.ts'
import type { GitLeases } from '../../../platform/git/git-leases.ts'
import type { Lease, OfferedTo } from '../../../platform/limits/leases.ts'
import type { Timeouts } from '../http/timeouts.ts'
import { createPackPace, ticksInWindow } from './pack-pace.ts'

/** The bytes of a pack before it gets a place: whoever sends less at first keeps none from others. */
const startBytes = 64 * 1024

type Deps = { gitLeases: GitLeases; timeouts: Timeouts }

type Pack = {
  teamId: string
  /** Its first part is what git gets before the pack. */
  body: AsyncIterable<Buffer>
  /** Aborts when the pusher is gone, or the node stops. */
  signal: AbortSignal
  /** Frees the room of what was held before the place was taken. */
  releaseStart: () => void
}

export type PlacedPack = {
  /**
   * Runs `work` on the body, in the place, which is given back at its end; or earlier where others wait and
   * the pack comes slowly: then `signal` aborts.
   * @throws AppError `too_many_waiting` where the place was given up; what `work` throws.
   */
  receive<T>(work: (body: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<T>): Promise<T>
}

/** Takes a place for a pack that has begun to arrive. @throws AppError `too_many_waiting` without one. */
export async function placePack(
  { gitLeases, timeouts }: Deps,
  { teamId, body, signal, releaseStart }: Pack,
): Promise<PlacedPack> {
  const chunks = body[Symbol.asyncIterator]()
  const begunMs = performance.now()
  const start = await readStart(chunks)
  const startMs = performance.now() - begunMs
  const lease = await gitLeases.receiving.take(teamId, signal)
  return {
    async receive(work) {
      const givenUp = new AbortController()
      const bytes = start.reduce((sum, { length }) => sum + length, 0)
      const pace = watchPace(timeouts, { bytes, ms: startMs }, lease, () => givenUp.abort(tooSlow()))
      async function* whole() {
        releaseStart()
        yield* start
        for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
          pace.came(next.value.length)
          yield next.value
        }
        pace.end()
      }
      try {
        return await work(whole(), AbortSignal.any([signal, givenUp.signal]))
      } catch (error) {
        throw givenUp.signal.aborted ? givenUp.signal.reason : error
      } finally {
        pace.end()
        lease.end()
      }
    },
  }
}

async function readStart(chunks: AsyncIterator<Buffer>): Promise<Buffer[]> {
  const start: Buffer[] = []
  let bytes = 0
  while (bytes < startBytes) {
    const { done, value } = await chunks.next()
    if (done) break
    // The first part is not of the pack.
    if (start.length > 0) bytes += value.length
    start.push(value)
  }
  return start
}

/** Offers the place of a slow pack to others: what it brought before it had one counts, too. */
function watchPace(
  { packWindowMs, packBytesPerSecond }: Timeouts,
  start: { bytes: number; ms: number },
  lease: Lease,
  giveUp: () => void,
): { came(bytes: number): void; end(): void } {
  const pace = createPackPace((packBytesPerSecond * packWindowMs) / 1_000, packWindowMs, start)
  let offered: OfferedTo | undefined
  const timer = setInterval(() => {
    const before = offered
    offered = pace.tick()
    if (offered === before) return
    if (offered === undefined) lease.keep()
    else
      lease.offer(offered).then(
        (isWanted) => isWanted && giveUp(),
        () => {},
      )
  }, packWindowMs / ticksInWindow)
  return { came: pace.came, end: () => clearInterval(timer) }
}

function tooSlow(): AppError {
  const message = 'The pack came too slowly while others waited. Push again when fewer do.'
  return new AppError('too_many_waiting', message, { retryAfterMs: 30_000 })
}
