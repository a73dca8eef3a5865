/** The parts of a log line about a request. */
import type { LogLine } from '@/lib/follow-logs'
import { visibleLine } from '@/lib/visible'

export type LoggedRequest = {
  status: number
  method: string
  host: string
  path: string
  durationMs: number | undefined
  /** The network of the client. */
  address: string
}

/** The request; undefined for other lines, and for those that count requests. */
export function requestOf({ kind, fields }: LogLine): LoggedRequest | undefined {
  const { status, method, host, path, duration_ms: durationMs, address } = fields
  if (kind !== 'request' || typeof status !== 'number') return undefined
  return {
    status,
    method: text(method),
    host: text(host),
    path: text(path),
    durationMs: typeof durationMs === 'number' ? durationMs : undefined,
    address: text(address),
  }
}

const text = (value: unknown) => (typeof value === 'string' ? visibleLine(value) : '')

/** `0.42 ms`, `12 ms`, `1.5 s`. */
export function milliseconds(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`
}

const tones: Record<string, string> = { 2: 'text-good', 3: 'text-accent', 4: 'text-warn', 5: 'text-bad' }

/** The class of the colour of a status, or of a class of them such as `4xx`. */
export function toneOf(status: number | string): string {
  return tones[String(status).charAt(0)] ?? 'text-dim'
}
