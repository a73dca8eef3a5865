/** Keyset pagination: no row is duplicated or skipped while rows come and go. */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { type IdKind, isId } from '../../lib/ids.ts'

export type Page<T> = { data: T[]; next_cursor: string | null }

const labelCursor = z.tuple([z.string().regex(/^[\w-]{1,255}$/)])
const domainCursor = z.tuple([z.string().regex(/^[\w-]+(\.[\w-]+)+$/)])
const pathCursor = z.tuple([z.string().regex(/^[^\0]+$/)])

/**
 * The condition for rows older than the cursor, newest first by (`time`, `id`), in a list of this kind.
 * @throws AppError `invalid_cursor`.
 */
export function afterCursor(
  kind: IdKind,
  cursor: string | undefined,
  time: PgColumn,
  id: PgColumn,
): SQL | undefined {
  if (cursor === undefined) return undefined
  const ofKind = z.string().refine((text) => isId(kind, text))
  const [ms, lastId] = decodeCursor(cursor, z.tuple([z.int().nonnegative(), ofKind]))
  return sql`(${time}, ${id}) < (${ms}::bigint, ${lastId}::text)`
}

/** The condition for rows after the cursor in the order of `name`. @throws AppError `invalid_cursor`. */
export function afterName(cursor: string | undefined, name: PgColumn): SQL | undefined {
  if (cursor === undefined) return undefined
  const [last] = decodeCursor(cursor, labelCursor)
  return sql`${name} > ${last}::text`
}

/** The same for domain names, which contain dots. @throws AppError `invalid_cursor`. */
export function afterDomain(cursor: string | undefined, domain: PgColumn): SQL | undefined {
  if (cursor === undefined) return undefined
  const [last] = decodeCursor(cursor, domainCursor)
  return sql`${domain} > ${last}::text`
}

/** The same for paths of files. @throws AppError `invalid_cursor`. */
export function afterPath(cursor: string | undefined, path: PgColumn | SQL): SQL | undefined {
  if (cursor === undefined) return undefined
  const [last] = decodeCursor(cursor, pathCursor)
  return sql`${path} > ${last}::text`
}

/** The page of the first `limit` of `rows`, which has one more if there is a next page. */
export function pageOf<T>(rows: T[], limit: number, keyOf: (row: T) => (string | number)[]): Page<T> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last !== undefined
  return { data, next_cursor: more ? encodeCursor(keyOf(last)) : null }
}

/** A key as an opaque cursor. */
export function encodeCursor(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** The key in a cursor that `encodeCursor` made. @throws AppError `invalid_cursor`. */
export function decodeCursor<T>(cursor: string, schema: z.ZodType<T>): T {
  try {
    const key = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    // Node's decoder skips invalid characters.
    if (encodeCursor(key) !== cursor) throw new Error('The cursor was changed.')
    return key
  } catch (cause) {
    throw new AppError(
      'invalid_cursor',
      'cursor: pass next_cursor of the previous page unchanged, or omit it.',
      {
        issues: [{ path: 'cursor', message: 'is not a cursor of this list' }],
        cause,
      },
    )
  }
}
