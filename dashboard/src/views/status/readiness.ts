/** The state of a node, as it reports it at `/readyz`. */

export type Readiness = {
  ready: boolean
  listening: boolean
  database: boolean
  blobs: boolean
  /** Where rate limits are counted, or `degraded`. */
  limits: string
  degraded: string[]
  alerts: Alert[]
  /** `disk_full` while nothing more is stored. */
  disk: string
  /** Null where the disk can't be looked at. */
  disk_space: { path: string; free_bytes: number; free_percent: number } | null
  /** The certificate that expires first. */
  next_certificate: { place: string; expires_ms: number } | null
  /** Backups by schedule; null without a schedule. */
  backup: { last: { finished_ms: number; bytes: number } | null } | null
}

/** Something wrong: where, and what to do. */
type Alert = { name: string; place: string; message: string }

/** Reads it; a node that is not ready answers 503 with the same. @throws when there is no such answer. */
export async function readReadiness(): Promise<Readiness> {
  const response = await fetch('/readyz')
  const body: unknown = await response.json()
  if (!isReadiness(body)) throw new Error(`The server answered ${response.status}.`)
  return body
}

function isReadiness(body: unknown): body is Readiness {
  return typeof body === 'object' && body !== null && 'ready' in body && 'degraded' in body
}
