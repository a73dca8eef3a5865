/** A team's log by pages, in either direction: lines of every kind. */
import { encodeCursor, type Page } from '../../../stores/db/page.ts'
import type { Store } from '../../../stores/db/store.ts'
import { isOfRequests, isSearch, readLines } from './lines.ts'
import type { LogOptions } from './log-input.ts'
import { readAudit } from './read-audit.ts'
import type { Reader } from './reader.ts'
import {
  comparePlaces,
  type LogRow,
  type Look,
  type Order,
  type Place,
  placeOf,
  type Reach,
  readPlace,
  type Stretch,
  startOf,
} from './row.ts'
import { searchInLine } from './searches.ts'

export type LogDeps = { store: Store; nowMs: () => number }

/**
 * Forwards, younger lines are withheld: a line with an earlier time may be committed later, and a reader past
 * it would never see it.
 */
const withheldMs = 1_000

/** `more` tells whether there is more to read right now. */
export type LogPage = Page<LogRow> & { more: boolean }

/**
 * The lines that the caller sees and that match every filter; none for an unknown project. With `q`, `status`
 * or `host` a page may be short, or empty, since one call scans a limited number of lines: the next page
 * continues there. Forwards, there is a next page for as long as new lines may come.
 * @throws AppError `invalid_cursor`; `too_many_waiting` when 20 searches of the team wait already.
 */
export async function listLogs(
  { store: { db }, nowMs }: LogDeps,
  reader: Reader,
  { order, limit, cursor, ...filters }: LogOptions,
): Promise<LogPage> {
  const after = cursor === undefined ? undefined : readPlace(cursor)
  const settledMs = nowMs() - withheldMs
  const until = { ...filters, until_ms: Math.min(filters.until_ms ?? settledMs, settledMs) }
  const narrowed = order === 'asc' ? until : filters
  const { rows, next, last } = isSearch(filters)
    ? await searchInLine(reader.teamId, search)
    : await read('near')
  const more = next !== undefined
  const goesOn = order === 'asc' && (filters.until_ms === undefined || filters.until_ms > settledMs)
  const end = goesOn ? (last ?? after ?? startOf(filters.since_ms ?? 0)) : undefined
  const going = next ?? end
  return { data: rows, next_cursor: going ? encodeCursor(going) : null, more }

  /** Common texts are found in a short scan; for rare ones it costs little besides the long scan. */
  async function search() {
    const near = await read('near')
    return near.rows.length === limit || near.next === undefined ? near : read('far')
  }

  async function read(reach: Reach) {
    const { level } = narrowed
    const kind = isOfRequests(narrowed) ? 'request' : narrowed.kind
    const look: Look = { order, after, count: limit + 1, reach }
    const stretches: Stretch[] = await Promise.all([
      ...(kind === 'audit' ? [] : [readLines(db, reader, narrowed, look)]),
      ...((kind ?? 'audit') === 'audit' && (level ?? 'info') === 'info'
        ? [readAudit(db, reader, narrowed, look)]
        : []),
    ])
    return join(stretches, order, limit)
  }
}

/**
 * The first `limit` rows of all sources, with the position of the next page, if any, and of the last row
 * scanned.
 */
function join(stretches: Stretch[], order: Order, limit: number) {
  const compare = (a: Place, b: Place) => comparePlaces(a, b, order)
  const ends = stretches.flatMap(({ end }) => (end ? [end] : [])).sort(compare)
  // Rows past the point where another source stopped scanning have to wait.
  const [bound] = stretches.flatMap(({ more, end }) => (more && end ? [end] : [])).sort(compare)
  const rows = stretches
    .flatMap((each) => each.rows)
    .filter((row) => bound === undefined || compare(placeOf(row), bound) <= 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
  const page = rows.slice(0, limit)
  const lastShown = page.at(-1)
  const next = rows.length > limit && lastShown ? placeOf(lastShown) : bound
  return { rows: page, next, last: ends.at(-1) }
}
