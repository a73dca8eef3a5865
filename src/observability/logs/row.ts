/** A line of a team's log, and its place among the others. */
import { z } from 'zod'
import { decodeCursor } from '../../db/page.ts'
import { timeMs } from '../../db/record-fields.ts'
import { isId } from '../../ids.ts'

export const logKinds = ['build', 'request', 'audit'] as const
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
        'Of a request: method, host, path (without its query, cut after 500 characters), status, bytes, duration_ms, cache ' +
        '(memory, blob, or none where it was answered without a file), address (the network of the client, an IPv4 /24 or an ' +
        'IPv6 /48), and ended_ms where it was written late; or, of requests without a line of their own: not_logged (how many), ' +
        'by_status, from_ms, to_ms. Of an audit line: type, actor, key, address, request_id, and the data of the event',
    }),
  })
  .meta({ id: 'LogLine' })

export type LogRow = z.infer<typeof logLineSchema>

export type Order = 'asc' | 'desc'

/** What a log can be narrowed to; times are Unix milliseconds, `since_ms` included and `until_ms` not. */
export type LogFilters = {
  kind?: LogKind | undefined
  /** By name or id. */
  project?: string | undefined
  deployment?: string | undefined
  level?: LogLevel | undefined
  /** A part of the message, in any case. */
  q?: string | undefined
  since_ms?: number | undefined
  until_ms?: number | undefined
}

/** A line's place: lines stand in the order of time, those of one millisecond in that of their ids. */
export type Place = [timeMs: number, id: string]

/** A part of the log to look at: at most `count` lines that come after a place, and that match. */
export type Look = { order: Order; after: Place | undefined; count: number; reach: Reach }

/** How far to look for a part of a message, which no index knows: a usual one is found near, and others take longer. */
export type Reach = 'near' | 'far'

/**
 * What was found there. `end` is the place of the last line that was looked at, whether it matched or not; there may be
 * more behind it where `more` says so.
 */
export type Stretch = { rows: LogRow[]; end: Place | undefined; more: boolean }

export function placeOf({ time_ms, id }: LogRow): Place {
  return [time_ms, id]
}

/** As a comparison for sorting has it. */
export function comparePlaces([aMs, aId]: Place, [bMs, bId]: Place, order: Order): number {
  const ascending = aMs - bMs || (aId < bId ? -1 : Number(aId > bId))
  return order === 'asc' ? ascending : -ascending
}

/** The id that clients see of a line with this number: as text it stands in the same order. */
export function lineId(number: number): string {
  return `log_${number.toString(16).padStart(32, '0')}`
}

/** The number of the line, for comparing; events stand before the lines of their millisecond, whatever their ids. */
export function lineNumber(id: string): number {
  return isId('log', id) ? Number.parseInt(id.slice('log_'.length), 16) : 0
}

const place = z.tuple([
  z.int().nonnegative(),
  z.string().refine((id) => (isId('log', id) && Number.isSafeInteger(lineNumber(id))) || isId('event', id)),
])

/** The place that a cursor names. @throws AppError `invalid_cursor`. */
export function readPlace(cursor: string): Place {
  return decodeCursor(cursor, place)
}

/** The place before every line of that time. */
export function startOf(timeMs: number): Place {
  return [timeMs, `evt_${'0'.repeat(32)}`]
}
