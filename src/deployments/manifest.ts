/** Stores which path of a deployment is which blob. */

import { inArray, sql } from 'drizzle-orm'
import { maxEncodedBytes, minEncodedBytes } from '../blobs/encodings.ts'
import type { KnownBlob } from '../blobs/rows.ts'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'
import { manifestEntries, manifests } from '../db/schema/manifests.ts'
import { AppError } from '../errors.ts'
import { isCompressible } from '../media-type.ts'
import type { Rules } from './rules/rules.ts'

/** A path with its blob as it was when it was looked up. */
export type Entry = { path: string; blob: Pick<KnownBlob, 'id' | 'isMarked' | 'isUnencoded'> }

/** `isServed`: as a site, and so compressed; not as what a build begins with. */
export type NewManifest = { teamId: string; entries: Entry[]; rules: Rules | null; isServed: boolean }

/** No blob has this id, so that a manifest with it is refused. */
const gone = { id: 0, isMarked: false, isUnencoded: false }

/** An entry for each of the files, whose blobs are known by digest. */
export function toEntries(
  files: readonly { path: string; sha256: string }[],
  known: ReadonlyMap<string, KnownBlob>,
): Entry[] {
  return files.map(({ path, sha256 }) => ({ path, blob: known.get(sha256) ?? gone }))
}

/**
 * Writes a manifest, takes its blobs out of collection, and, of one that is served, has those compressed that weren't yet
 * and that a path of it says to be compressible, all inside the caller's transaction.
 * @throws AppError `files_missing` when a blob was collected since it was looked up: look all of them up again.
 */
export async function insertManifest(
  tx: Database,
  { teamId, entries, rules, isServed }: NewManifest,
  nowMs: number,
): Promise<number> {
  await takeBlobs(tx, { entries, isServed }, nowMs)
  const blobIds = entries.map(({ blob }) => blob.id).join(',')
  // No path has a line break in it.
  const paths = entries.map(({ path }) => path).join('\n')
  const manifest = tx
    .$with('manifest')
    .as(tx.insert(manifests).values({ teamId, rules }).returning({ id: manifests.id }))
  // Not prepared, as this is planned for how many entries there are. The lock is what a foreign key would take for each
  // entry alone: until the commit nobody deletes the blob.
  const inserted = tx.$with('inserted', { path: sql<string>`path`.as('path') }).as(sql`
    insert into ${manifestEntries} (manifest_id, path, blob_id)
    select manifest.id, path, locked.id
    from manifest,
      unnest(string_to_array(${paths}, chr(10)), string_to_array(${blobIds}, ',')::bigint[]) as entries(path, blob_id)
    join (
      select id from ${blobs}
      where id = any(string_to_array(${listIds(entries)}, ',')::bigint[]) order by id for key share
    ) as locked on locked.id = blob_id
    returning path`)
  const [made] = await tx
    .with(manifest, inserted)
    .select({ id: manifest.id, entries: sql`(select count(*) from ${inserted})`.mapWith(Number) })
    .from(manifest)
  if (made?.entries !== entries.length) {
    throw new AppError('files_missing', 'Some of the files were deleted meanwhile. Send the request again.')
  }
  return made.id
}

/** Leaves manifests that nothing refers to any more to be collected. */
export async function releaseManifests(tx: Database, ids: number[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  await tx.update(manifests).set({ releasedMs: nowMs }).where(inArray(manifests.id, ids))
}

/**
 * In one statement, so that two deployments lock the blobs that they share in one order. Which ones may need it is known
 * from when they were read: of a thousand that an earlier deployment has, none does. One that was marked since is looked at
 * by the collector, which finds the entry.
 */
async function takeBlobs(
  tx: Database,
  { entries, isServed }: Pick<NewManifest, 'entries' | 'isServed'>,
  nowMs: number,
): Promise<void> {
  const toEncode = entries.filter(({ path, blob }) => isServed && blob.isUnencoded && isCompressible(path))
  const toTake = [...entries.filter(({ blob }) => blob.isMarked), ...toEncode]
  if (toTake.length === 0) return
  const isToEncode = sql`(
    id = any(string_to_array(${listIds(toEncode)}, ',')::bigint[]) and encode_after_ms is null
    and encode_attempts = 0 and size between ${minEncodedBytes} and ${maxEncodedBytes})`
  await tx.execute(sql`
    update ${blobs} set
      collect_after_ms = null,
      encode_after_ms = case when ${isToEncode} then ${nowMs}::bigint else encode_after_ms end
    where id in (
      select id from ${blobs}
      where id = any(string_to_array(${listIds(toTake)}, ',')::bigint[])
        and (collect_after_ms is not null or ${isToEncode})
      order by id for no key update)`)
}

function listIds(entries: Entry[]): string {
  return [...new Set(entries.map(({ blob }) => blob.id))].join(',')
}
