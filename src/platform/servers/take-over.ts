/** Starts the next server of a site while the one before goes on, which ends once the next one answers. */
import { setTimeout as wait } from 'node:timers/promises'
import { requestHealth } from './health-request.ts'
import type { DeployedServer } from './read-server.ts'
import type { Graces, RunningServer } from './running-server.ts'
import { type ServerLease, ServerRefused } from './servers.ts'

/**
 * In milliseconds: `maxMs` is how long a server stays because the next one doesn't answer; `againMs` the
 * pause between two looks whether that is well, or could be started; `settledMs` how long others may still
 * have the old site, whose requests are not to start it anew, and then how long it is seen whether any come.
 */
export type TakeOverTimes = { maxMs: number; againMs: number; settledMs: number }

export const takeOverTimes: TakeOverTimes = { maxMs: 60_000, againMs: 500, settledMs: 1_000 }

/** Its requests may go on, and then it has a moment, since others wait for its room. */
const hurried: Graces = { requestsMs: 10_000, stopMs: 5_000 }

type Next = {
  /** As `Servers` does, without an address. */
  lease(signal: AbortSignal): Promise<ServerLease>
  /** Undefined where there is no such server any more. */
  read(): Promise<DeployedServer | undefined>
  /** Whether it has room only without the old one. */
  needsPlaceOf(row: DeployedServer, old: RunningServer): boolean
  /** Requests for it wait for as long as that takes. */
  holdLonger(): void
}

type Old = {
  /** The process; undefined once it gets no more requests. */
  current(): RunningServer | undefined
  retire(graces: Graces): Promise<void>
}

/**
 * Resolves once requests are to go to the next server: it answers, or has not for a minute, or there is
 * nothing any more that could answer in its place.
 */
export async function takeOver(
  old: Old,
  next: Next,
  { graces, times }: { graces: Graces; times: TakeOverTimes },
  stopping: AbortSignal,
): Promise<void> {
  const { maxMs, againMs, settledMs } = times
  const running = old.current()
  if (!running) return
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(maxMs)])
  while (!signal.aborted && old.current() === running) {
    const isReady = await tryNext(next, signal).catch((error: unknown) => !(error instanceof ServerRefused))
    if (isReady) break
    const row = await next.read().catch(() => undefined)
    if (row && next.needsPlaceOf(row, running)) {
      next.holdLonger()
      void end(old, running, hurried)
      return
    }
    await wait(againMs, undefined, { signal }).catch(() => {})
  }
  void endUnused(old, running, { graces, settledMs })
}

/** A promote may have been taken back meanwhile: then the old server still gets requests, and stays. */
async function endUnused(
  old: Old,
  running: RunningServer,
  { graces, settledMs }: { graces: Graces; settledMs: number },
): Promise<void> {
  await wait(settledMs, undefined, { ref: false })
  const before = running.leases()
  await wait(settledMs, undefined, { ref: false })
  if (running.leases() === before) await end(old, running, graces)
}

/** Whether it takes requests, and its health path, if it has one, is answered as it should. */
async function tryNext(next: Next, signal: AbortSignal): Promise<boolean> {
  const lease = await next.lease(signal)
  try {
    const row = await next.read()
    const path = row?.runtime.health_path ?? undefined
    if (!row || path === undefined) return true
    const status = await requestHealth(lease.path, { path, host: row.productionHost }, signal)
    return status < 400
  } catch {
    return false
  } finally {
    lease.end()
  }
}

async function end(old: Old, running: RunningServer, graces: Graces): Promise<void> {
  if (old.current() !== running) return
  const gone = old.retire(graces)
  running.closeSockets()
  await gone
}
