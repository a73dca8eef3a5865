/** The objects of blob rows. */
import { inArray, or, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { blobs } from '../db/schema/blobs.ts'
import { directUploads } from '../db/schema/direct-uploads.ts'

/** The objects of one blob: its bytes, and the compressed variants. */
export const objectColumns = { object: blobs.object, br: blobs.brObject, gzip: blobs.gzipObject }

/** All object names in the rows. */
export function namesIn(rows: Record<keyof typeof objectColumns, string | null>[]): string[] {
  return rows.flatMap((row) => Object.values(row)).filter((name) => name !== null)
}

/**
 * The objects that a row references, be it as an upload that may still become a blob. In one look at both
 * tables.
 */
export async function findNamed(db: Database, objects: string[]): Promise<Set<string>> {
  const none = sql<string | null>`null::text`
  const rows = await db
    .select(objectColumns)
    .from(blobs)
    .where(or(...Object.values(objectColumns).map((column) => inArray(column, objects))))
    .unionAll(
      db
        .select({ object: directUploads.object, br: none, gzip: none })
        .from(directUploads)
        .where(inArray(directUploads.object, objects)),
    )
  return new Set(namesIn(rows))
}
