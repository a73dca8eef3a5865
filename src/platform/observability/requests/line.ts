/** Requests as log lines: without query and headers, and with a truncated address. */

import { redactPath } from '../../../lib/log/redact-secrets.ts'
import { toPrintable } from '../../../lib/names/printable.ts'
import type { WrittenLine } from '../../deployments/log/write-lines.ts'
import { prefixOf } from '../../limits/address-bucket.ts'
import type { ServedRequest, ServedResponse } from '../response-observer.ts'
import { type LeftOutCount, totalOf } from './left-out.ts'
import { levelOfDigit } from './level-of-status.ts'

/** Longer paths are cut, in UTF-16 units: a client can send 16 kB with every request. */
const maxPathLength = 500

/**
 * A request as it is logged: its path cut and without what a terminal would obey, of its address the prefix.
 */
export type LoggedRequest = ServedResponse & ServedRequest

/** The part of a request that may be kept. */
export function keepable(answered: ServedResponse, { path, address, ...rest }: ServedRequest): LoggedRequest {
  const short = path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength - 1)}…`
  // A cut may split a surrogate pair, which the database refuses.
  return {
    ...answered,
    ...rest,
    path: toPrintable(redactPath(short)).toWellFormed(),
    address: prefixOf(address),
  }
}

/**
 * The line for a request, such as `GET /about 200`. If the request ended before `earliestMs`, that becomes
 * the line's time, and its own time a field.
 */
export function requestLine(request: LoggedRequest, earliestMs: number): WrittenLine {
  const { teamId, projectId, deploymentId, durationMs, endedMs, ...fields } = request
  return {
    teamId,
    projectId,
    deploymentId,
    level: levelOfDigit(Math.trunc(fields.status / 100)),
    message: `${fields.method} ${fields.path} ${fields.status}`,
    fields: {
      ...fields,
      duration_ms: Math.round(durationMs * 100) / 100,
      ...(endedMs < earliestMs && { ended_ms: endedMs }),
    },
    timeMs: Math.max(endedMs, earliestMs),
  }
}

/** The summary lines: one for each level, such as `12 requests not logged: 9 × 2xx, 3 × 3xx`. */
export function leftOutLines(count: LeftOutCount, timeMs: number): WrittenLine[] {
  const { teamId, projectId, deploymentId, byDigit, fromMs, toMs } = count
  return (['info', 'warn', 'error'] as const).flatMap((level) => {
    const ofLevel = byDigit.map((requests, digit) => (levelOfDigit(digit) === level ? requests : 0))
    const total = totalOf({ byDigit: ofLevel })
    if (total === 0) return []
    const byStatus = ofLevel.flatMap((requests, digit) => (requests > 0 ? [[`${digit}xx`, requests]] : []))
    const parts = byStatus.map(([status, requests]) => `${requests} × ${status}`).join(', ')
    return {
      teamId,
      projectId,
      deploymentId,
      level,
      timeMs,
      message: `${total} ${total === 1 ? 'request' : 'requests'} not logged: ${parts}`,
      fields: { not_logged: total, by_status: Object.fromEntries(byStatus), from_ms: fromMs, to_ms: toMs },
    }
  })
}
