/** Stores which path of a deployment is which blob. */

import { sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'
import { manifests } from '../db/schema/manifests.ts'

/**
 * Writes a manifest and takes its blobs out of collection, inside the caller's transaction.
 * @throws a foreign key violation when a blob was collected in between: look the blobs up again and retry.
 */
export async function insertManifest(
  tx: Database,
  teamId: string,
  entries: { path: string; blobId: number }[],
): Promise<number> {
  const ids = [...new Set(entries.map((entry) => entry.blobId))].join(',')
  await tx.execute(sql`
    update ${blobs} set collect_after_ms = null where id in (
      select id from ${blobs}
      where id = any(string_to_array(${ids}, ',')::bigint[]) and collect_after_ms is not null
      order by id for no key update)`)
  const [manifest] = await tx.insert(manifests).values({ teamId }).returning({ id: manifests.id })
  if (!manifest) throw new Error('An insert returned no row.')
  const rows = JSON.stringify(entries.map(({ path, blobId }) => ({ path, blob_id: blobId })))
  await tx.execute(sql`
    insert into manifest_entries (manifest_id, path, blob_id)
    select ${manifest.id}::bigint, path, blob_id
    from json_to_recordset(${rows}::json) as entries(path text, blob_id bigint)`)
  return manifest.id
}
