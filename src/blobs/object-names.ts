/** The objects of blob rows. */
import { inArray, or } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'

/** The objects of one blob: its bytes, and the compressed variants. */
export const objectColumns = { object: blobs.object, br: blobs.brObject, gzip: blobs.gzipObject }

/** All object names in the rows. */
export function namesIn(rows: Record<keyof typeof objectColumns, string | null>[]): string[] {
  return rows.flatMap((row) => Object.values(row)).filter((name) => name !== null)
}

/** The objects that a row references. */
export async function findNamed(db: Database, objects: string[]): Promise<Set<string>> {
  const rows = await db
    .select(objectColumns)
    .from(blobs)
    .where(or(...Object.values(objectColumns).map((column) => inArray(column, objects))))
  return new Set(namesIn(rows))
}
