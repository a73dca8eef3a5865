/** A team's log by pages, in either direction: what builds and requests wrote, and who did what. */
import { encodeCursor, type Page } from '../../db/page.ts'
import type { Store } from '../../db/store.ts'
import { readAudit } from './audit.ts'
import { readLines } from './lines.ts'
import {
  comparePlaces,
  type LogFilters,
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

export type LogOptions = LogFilters & { order: Order; limit: number; cursor?: string | undefined }

export type LogDeps = { store: Store; nowMs: () => number }

/**
 * Forwards, lines younger than this are withheld: one that got its time before another may be committed after it, and
 * whoever had read past it would never see it.
 */
const withheldMs = 1_000

/** `more` tells whether there is more to read right now. */
export type LogPage = Page<LogRow> & { more: boolean }

/**
 * The lines that match every filter; those of an unknown project are none. A page may hold fewer than there are, or none,
 * where it looked for `q` far enough: the next one goes on there. Forwards, there is a next page for as long as lines may
 * come.
 * @throws AppError `invalid_cursor`; `too_many_waiting` when 20 searches of the team wait already.
 */
export async function listLogs(
  { store: { db }, nowMs }: LogDeps,
  teamId: string,
  { order, limit, cursor, ...filters }: LogOptions,
): Promise<LogPage> {
  const after = cursor === undefined ? undefined : readPlace(cursor)
  const settledMs = nowMs() - withheldMs
  const until = { ...filters, until_ms: Math.min(filters.until_ms ?? settledMs, settledMs) }
  const narrowed = order === 'asc' ? until : filters
  const { rows, next, last } =
    filters.q === undefined ? await read('near') : await searchInLine(teamId, search)
  const more = next !== undefined
  const goesOn = order === 'asc' && (filters.until_ms === undefined || filters.until_ms > settledMs)
  const end = goesOn ? (last ?? after ?? startOf(filters.since_ms ?? 0)) : undefined
  const going = next ?? end
  return { data: rows, next_cursor: going ? encodeCursor(going) : null, more }

  /** What is usual is found near; where it isn't, that was little beside the long way. */
  async function search() {
    const near = await read('near')
    return near.rows.length === limit || near.next === undefined ? near : read('far')
  }

  async function read(reach: Reach) {
    const { kind, level } = narrowed
    const look: Look = { order, after, count: limit + 1, reach }
    const stretches: Stretch[] = await Promise.all([
      ...(kind === 'audit' ? [] : [readLines(db, teamId, narrowed, look)]),
      ...((kind ?? 'audit') === 'audit' && (level ?? 'info') === 'info'
        ? [readAudit(db, teamId, narrowed, look)]
        : []),
    ])
    return join(stretches, order, limit)
  }
}

/** The first `limit` rows of all, with the place where the next page begins, if there is more, and the last one seen. */
function join(stretches: Stretch[], order: Order, limit: number) {
  const compare = (a: Place, b: Place) => comparePlaces(a, b, order)
  const ends = stretches.flatMap(({ end }) => (end ? [end] : [])).sort(compare)
  // What one tells from behind the place where another stopped looking has to wait.
  const [bound] = stretches.flatMap(({ more, end }) => (more && end ? [end] : [])).sort(compare)
  const rows = stretches
    .flatMap((each) => each.rows)
    .filter((row) => bound === undefined || compare(placeOf(row), bound) <= 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
  const shown = rows.slice(0, limit)
  const lastShown = shown.at(-1)
  const next = rows.length > limit && lastShown ? placeOf(lastShown) : bound
  return { rows: shown, next, last: ends.at(-1) }
}
