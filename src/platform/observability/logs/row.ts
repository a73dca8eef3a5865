/** A line of a team's log, and its position. */
import { z } from 'zod'
import { isId } from '../../../lib/ids.ts'
import { decodeCursor } from '../../../stores/db/page.ts'
import { timeMs } from '../../../stores/db/record-fields.ts'

export const logKinds = ['build', 'request', 'audit', 'git', 'runtime'] as const
type LogKind = (typeof logKinds)[number]

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

/** A line as clients see it. */
export const logLineSchema = z
  .object({
    id: z.string().meta({ pattern: '^(log|evt)_[0-9a-f]{32}$' }),
    time_ms: timeMs,
    kind: z.enum(logKinds),
    level: z.enum(logLevels),
    message: z.string(),
    project: z.string().nullable().meta({ description: "The project's present name; null when it is gone" }),
    deployment: z.string().nullable().meta({ description: "The deployment's id" }),
    fields: z.record(z.string(), z.unknown()).meta({
      description:
        'Of a request: method, host, path (without its query, cut after 500 characters), status, bytes, ' +
        'duration_ms, cache (memory, blob, or none where it was answered without a file), address (the ' +
        'network of the client, an IPv4 /24 or an IPv6 /48), and ended_ms where it was written late; ' +
        'or, of requests without a line of their own: not_logged (how many), by_status, from_ms, to_ms. ' +
        'Of an audit line: type, actor and actor_name (a person by id and by present name; null for what ' +
        'the platform did), key and key_name (the API key that was used; its name is null once it is ' +
        'revoked), address (of other people for owners alone), request_id, and the data of the event. ' +
        'Of a line about git, as far as they are ' +
        'known: event, branch, commit, pull_request, and delivery (the id of what a forge sent). ' +
        'Of a line of a server: target, whose variables it has',
    }),
  })
  .meta({ id: 'LogLine' })

export type LogRow = z.infer<typeof logLineSchema>

export type Order = 'asc' | 'desc'

/** The filters of a log; times are Unix milliseconds, `since_ms` inclusive and `until_ms` exclusive. */
export type LogFilters = {
  kind?: LogKind | undefined
  /** By name or id. */
  project?: string | undefined
  deployment?: string | undefined
  level?: LogLevel | undefined
  /** A status of requests such as `404`, or a class such as `4xx`; `level` is theirs, or left out. */
  status?: string | undefined
  /** The host of requests, as it is in their lines. */
  host?: string | undefined
  /** A substring of the message, case-insensitive. */
  q?: string | undefined
  since_ms?: number | undefined
  until_ms?: number | undefined
}

/** A line's position: lines are ordered by time, then id. */
export type Place = [timeMs: number, id: string]

/** A part of the log to scan: at most `count` matching lines after a position. */
export type Look = { order: Order; after: Place | undefined; count: number; reach: Reach }

/** How far to scan for what has no index, such as a part of a message: a short scan, then a long one. */
export type Reach = 'near' | 'far'

/**
 * The lines found. `end` is the position of the last line scanned, whether it matched or not; `more` tells
 * whether there may be more behind it.
 */
export type Stretch = { rows: LogRow[]; end: Place | undefined; more: boolean }

export function placeOf({ time_ms, id }: LogRow): Place {
  return [time_ms, id]
}

/** A comparison function for sorting. */
export function comparePlaces([aMs, aId]: Place, [bMs, bId]: Place, order: Order): number {
  const ascending = aMs - bMs || (aId < bId ? -1 : Number(aId > bId))
  return order === 'asc' ? ascending : -ascending
}

/** The public id of the line with this number: as text it sorts in the same order. */
export function lineId(number: number): string {
  return `log_${number.toString(16).padStart(32, '0')}`
}

/** The number of the line, for comparison; events sort before the lines of their millisecond. */
export function lineNumber(id: string): number {
  return isId('log', id) ? Number.parseInt(id.slice('log_'.length), 16) : 0
}

const place = z.tuple([
  z.int().nonnegative(),
  z.string().refine((id) => (isId('log', id) && Number.isSafeInteger(lineNumber(id))) || isId('event', id)),
])

/** The position in a cursor. @throws AppError `invalid_cursor`. */
export function readPlace(cursor: string): Place {
  return decodeCursor(cursor, place)
}

/** The position before every line of that time. */
export function startOf(timeMs: number): Place {
  return [timeMs, `evt_${'0'.repeat(32)}`]
}
