/** The files of a deployment, by path. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { contentType } from '../../lib/names/media-type.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterPath, type Page, pageOf } from '../../stores/db/page.ts'
import { integer } from '../../stores/db/record-fields.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Scope } from '../callers/scope.ts'
import type { ListFiles } from './deployment-input.ts'
import { findManifest } from './find-manifest.ts'

export const fileSchema = z.object({
  path: z.string(),
  size: integer.meta({ description: 'Bytes' }),
  sha256: z.string(),
  type: z.string().meta({ description: 'The Content-Type with which it is served' }),
})

export type FileRecord = z.infer<typeof fileSchema>

/**
 * The files that the deployment serves; until it is built, its sources. `q` filters by a part of the path, in
 * any case.
 * @throws AppError `deployment_not_found`, `invalid_cursor`.
 */
export async function listFiles(
  { store }: { store: Store },
  scope: Scope,
  deploymentId: string,
  options: ListFiles,
): Promise<Page<FileRecord>> {
  const { manifestId } = await findManifest(store.lookUps, scope, deploymentId)
  if (manifestId === null) return { data: [], next_cursor: null }
  const rows = await selectEntries(store.db, manifestId, options)
  const page = pageOf(rows, options.limit, ({ path }) => [path])
  return { ...page, data: page.data.map((row) => ({ ...row, type: contentType(row.path) })) }
}

function selectEntries(db: Database, manifestId: number, { limit, cursor, q }: ListFiles) {
  const { path, blobId } = manifestEntries
  return db
    .select({ path, size: blobs.size, sha256: blobs.sha256 })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, blobId))
    .where(
      and(
        eq(manifestEntries.manifestId, manifestId),
        afterPath(cursor, path),
        q === undefined ? undefined : sql`position(lower(${q}::text) in lower(${path})) > 0`,
      ),
    )
    .orderBy(asc(path))
    .limit(limit + 1)
}
