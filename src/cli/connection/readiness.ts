/** Whether a server can work right now, as it says itself. */
import { exitCodes } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { isRecord } from '../is-record.ts'
import { ask } from './ask.ts'

export type Readiness = {
  ready: boolean
  database: boolean
  blobs: boolean
  /** Where rate limits are kept, or that they aren't shared right now. */
  limits: string
  /** What it does without for now. */
  degraded: string[]
  /** Whether it is about to stop. */
  stopping: boolean
  version: string
}

/** What `/readyz` of the server at `url` says. @throws Failure (6) where nothing or something else answers. */
export async function readiness({ signal }: Io, url: string): Promise<Readiness> {
  const text = await ask(url, `${url}/readyz`, { method: 'GET', headers: {}, stops: [signal] })
  const said: unknown = JSON.parse(text)
  if (!isRecord(said) || typeof said.ready !== 'boolean') {
    throw new Failure(exitCodes.unavailable, {
      reason: 'server_away',
      message: `What answers at ${url} does not say whether it is ready.`,
    })
  }
  const { ready, database, blobs, limits, degraded, stopping, version } = said
  return {
    ready,
    database: database === true,
    blobs: blobs === true,
    limits: String(limits),
    degraded: Array.isArray(degraded) ? degraded.map(String) : [],
    stopping: stopping === true,
    version: String(version),
  }
}

/** In words: `ready`, or what keeps it from that. */
export function healthOf({ ready, database, blobs, stopping, limits, degraded }: Readiness): string {
  if (ready) {
    const troubles = [
      limits === 'degraded' && 'each node has limits of its own',
      degraded.includes('clock') &&
        'its clock has jumped ahead, so nothing is removed (svc admin clock accept)',
    ]
    return ['ready', ...troubles.filter(Boolean)].join(', but ')
  }
  const reasons = [
    !database && 'its database does not answer',
    !blobs && 'its blobs can not be reached',
    stopping && 'it is stopping',
  ]
  return `not ready: ${reasons.filter(Boolean).join(', ')}`
}
