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
  /** Its alerts; absent at older servers. */
  alerts?: Alert[]
  /** The space on the disk of its data directory. */
  disk_space?: DiskSpace
  /** The certificate that expires first. */
  next_certificate?: NextCertificate
  /** Backups by schedule; `last` is null before the first. */
  backup?: Backup
  /** Whether it is stopping. */
  stopping: boolean
  version: string
}

type Alert = { name: string; place: string; message: string }
type DiskSpace = { path: string; free_bytes: number; free_percent: number }
type NextCertificate = { place: string; expires_ms: number }
type Backup = { last: { finished_ms: number; bytes: number } | null }

/** The most alerts that are read. */
const maxAlerts = 100

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
    ...moreOf(said),
    stopping: stopping === true,
    version: String(version),
  }
}

/** The fields that older servers don't have; what has another form is left out. */
function moreOf(
  said: Record<string, unknown>,
): Pick<Readiness, 'alerts' | 'disk_space' | 'next_certificate' | 'backup'> {
  const alerts = Array.isArray(said.alerts) ? said.alerts.slice(0, maxAlerts) : undefined
  const disk = diskOf(said.disk_space)
  const certificate = certificateOf(said.next_certificate)
  const backup = backupOf(said.backup)
  return {
    ...(alerts && { alerts: alerts.flatMap((each) => alertOf(each) ?? []) }),
    ...(disk && { disk_space: disk }),
    ...(certificate && { next_certificate: certificate }),
    ...(backup && { backup }),
  }
}

function alertOf(said: unknown): Alert | undefined {
  if (!isRecord(said)) return undefined
  const { name, place, message } = said
  const isWhole = typeof name === 'string' && typeof place === 'string' && typeof message === 'string'
  return isWhole ? { name, place, message } : undefined
}

function diskOf(said: unknown): DiskSpace | undefined {
  if (!isRecord(said)) return undefined
  const { path, free_bytes, free_percent } = said
  const isWhole =
    typeof path === 'string' && typeof free_bytes === 'number' && typeof free_percent === 'number'
  return isWhole ? { path, free_bytes, free_percent } : undefined
}

function certificateOf(said: unknown): NextCertificate | undefined {
  if (!isRecord(said)) return undefined
  const { place, expires_ms } = said
  return typeof place === 'string' && isMoment(expires_ms) ? { place, expires_ms } : undefined
}

function backupOf(said: unknown): Backup | undefined {
  if (!isRecord(said)) return undefined
  if (said.last === null) return { last: null }
  if (!isRecord(said.last)) return undefined
  const { finished_ms, bytes } = said.last
  return isMoment(finished_ms) && typeof bytes === 'number' ? { last: { finished_ms, bytes } } : undefined
}

/** Whether it is one that a `Date` can be. */
function isMoment(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
}

function stringsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** The names of alerts as words: `disk full`, each once. */
function wordsOf(alerts: Alert[]): string {
  return [...new Set(alerts.map(({ name }) => name.replaceAll('_', ' ')))].join(', ')
}

/** For servers without alerts. */
function wordsOfOlder(degraded: string[]): (string | false)[] {
  return [
    degraded.includes('disk') && 'the disk is nearly full, so no files are stored',
    degraded.includes('clock') && 'the clock jumped ahead, so nothing expires (svc admin clock accept)',
  ]
}

/** As text: `ready`, or the reasons why not. */
export function healthOf(of: Readiness): string {
  const { ready, listening, unresponsive = [], database, blobs, stopping, limits, degraded, alerts } = of
  if (ready) {
    const troubles = [
      limits === 'degraded' && 'rate limits are per node',
      ...(alerts ? [wordsOf(alerts)] : wordsOfOlder(degraded)),
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
