/** The readiness of a server, as `/readyz` reports it. */
import { isRecord } from '../../lib/is-record.ts'
import { Failure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { ask } from './ask.ts'

export type Readiness = {
  ready: boolean
  /** Where not every port of it listens. */
  listening?: false
  /** The ids of its processes that don't respond, if there are any. */
  unresponsive?: string[]
  database: boolean
  blobs: boolean
  /** Where rate limits are kept; degraded if they aren't shared right now. */
  limits: string
  /** The degraded parts. */
  degraded: string[]
  /** Whether it is stopping. */
  stopping: boolean
  version: string
}

/** The `/readyz` of the server at `url`. @throws Failure (6) if nothing or something else responds. */
export async function readiness({ env, signal }: Io, url: string): Promise<Readiness> {
  const { text } = await ask(url, `${url}/readyz`, { method: 'GET', headers: {}, env, stops: [signal] })
  const said: unknown = JSON.parse(text)
  if (!isRecord(said) || typeof said.ready !== 'boolean') {
    throw new Failure(exitCodes.unavailable, {
      reason: 'server_away',
      message: `${url} does not report whether it is ready.`,
    })
  }
  const { ready, listening, unresponsive, database, blobs, limits, degraded, stopping, version } = said
  return {
    ready,
    ...(listening === false && { listening }),
    ...(Array.isArray(unresponsive) && { unresponsive: stringsOf(unresponsive) }),
    database: database === true,
    blobs: blobs === true,
    limits: String(limits),
    degraded: stringsOf(degraded),
    stopping: stopping === true,
    version: String(version),
  }
}

function stringsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** As text: `ready`, or the reasons why not. */
export function healthOf(of: Readiness): string {
  const { ready, listening, unresponsive = [], database, blobs, stopping, limits, degraded } = of
  if (ready) {
    const troubles = [
      limits === 'degraded' && 'rate limits are per node',
      degraded.includes('disk') && 'the disk is nearly full, so no files are stored',
      degraded.includes('clock') && 'the clock jumped ahead, so nothing expires (svc admin clock accept)',
    ]
    return ['ready', ...troubles.filter(Boolean)].join(', but ')
  }
  const reasons = [
    listening === false && 'not every port listens',
    ...unresponsive.map((id) => `process ${id} does not respond`),
    !database && 'the database does not respond',
    !blobs && 'the blob store is unreachable',
    stopping && 'stopping',
  ]
  return `not ready: ${reasons.filter(Boolean).join(', ')}`
}
