/** The objects of all blob rows, by name: first the blobs themselves, then each compressed form. */
import { asc, gt } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'

type Form = 'identity' | 'br' | 'gzip'

/** An object, the blob that it is of, and the length in bytes that it should have. */
export type RecordedObject = { blobId: number; form: Form; object: string; size: number }

const perPage = 500

const columnsOf = {
  identity: { object: blobs.object, size: blobs.size },
  br: { object: blobs.brObject, size: blobs.brSize },
  gzip: { object: blobs.gzipObject, size: blobs.gzipSize },
}

/** In pages of one form each, whose names are near one another. */
export async function* blobPages(db: Database): AsyncGenerator<RecordedObject[]> {
  for (const form of ['identity', 'br', 'gzip'] as const) {
    const { object, size } = columnsOf[form]
    for (let after = ''; ; ) {
      const rows = await db
        .select({ blobId: blobs.id, object, size })
        .from(blobs)
        .where(gt(object, after))
        .orderBy(asc(object))
        .limit(perPage)
      const last = rows.at(-1)?.object
      if (!last) break
      yield rows.map((row) => ({ blobId: row.blobId, form, object: row.object ?? '', size: row.size ?? 0 }))
      after = last
    }
  }
}
