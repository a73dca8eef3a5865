/** The readiness of a server, as `/readyz` reports it. */
import { z } from 'zod'
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

/** The last moment that a `Date` can be. */
const maxDateMs = 8.64e15

const alertSchema = z.object({ name: z.string(), place: z.string(), message: z.string() })
const diskSchema = z.object({ path: z.string(), free_bytes: z.number(), free_percent: z.number() })
const certificateSchema = z.object({ place: z.string(), expires_ms: z.int().max(maxDateMs) })

const backupSchema = z.object({
  last: z.object({ finished_ms: z.int().max(maxDateMs), bytes: z.number() }).nullable(),
})

type Alert = z.infer<typeof alertSchema>
type DiskSpace = z.infer<typeof diskSchema>
type NextCertificate = z.infer<typeof certificateSchema>
type Backup = z.infer<typeof backupSchema>

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

/** The fields that older servers don't have. */
function moreOf(
  said: Record<string, unknown>,
): Pick<Readiness, 'alerts' | 'disk_space' | 'next_certificate' | 'backup'> {
  const alerts = Array.isArray(said.alerts) ? said.alerts.slice(0, maxAlerts) : undefined
  const disk = diskSchema.safeParse(said.disk_space)
  const certificate = certificateSchema.safeParse(said.next_certificate)
  const backup = backupSchema.safeParse(said.backup)
  return {
    ...(alerts && { alerts: alerts.flatMap((each) => alertSchema.safeParse(each).data ?? []) }),
    ...(disk.success && { disk_space: disk.data }),
    ...(certificate.success && { next_certificate: certificate.data }),
    ...(backup.success && { backup: backup.data }),
  }
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
