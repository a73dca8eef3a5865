/** The storage used by all teams. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'

/** Blobs, and their bytes including compressed variants. Reads every row. */
export async function readStored(db: Database): Promise<{ blobs: number; bytes: number }> {
  const { size, brSize, gzipSize } = blobs
  const bytes = sql`coalesce(sum(${size} + coalesce(${brSize}, 0) + coalesce(${gzipSize}, 0)), 0)`
  const [row] = await db
    .select({ blobs: sql`count(*)`.mapWith(Number), bytes: bytes.mapWith(Number) })
    .from(blobs)
  return row ?? { blobs: 0, bytes: 0 }
}
