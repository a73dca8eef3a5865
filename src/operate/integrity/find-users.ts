/** Says where a blob is used, for people who have to repair it. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import { deployments } from '../../stores/db/schema/projects.ts'

/** For each of the blobs that are used, the end of a sentence with one of the files that they are. */
export async function findUsers(db: Database, blobIds: number[]): Promise<Map<number, string>> {
  if (blobIds.length === 0) return new Map()
  const rows = await db
    .select({
      blobId: sql`wanted.id`.mapWith(Number),
      path: sql<string>`entry.path`,
      deployment: sql<string | null>`coalesce(
        (select ${deployments}.id from ${deployments}
          where ${deployments}.manifest_id = entry.manifest_id limit 1),
        (select ${deployments}.id from ${deployments}
          where ${deployments}.server_manifest_id = entry.manifest_id limit 1))`,
    })
    .from(sql`unnest(string_to_array(${blobIds.join(',')}, ',')::bigint[]) as wanted(id)`)
    .innerJoin(
      sql`lateral (
        select manifest_id, path from ${manifestEntries} where blob_id = wanted.id limit 1) as entry`,
      sql`true`,
    )
  return new Map(
    rows.map(({ blobId, path, deployment }) => [
      blobId,
      deployment === null
        ? `: it is ${path} of the sources of a build`
        : `: it is ${path} of deployment ${deployment}, which has to be deployed again`,
    ]),
  )
}
