/** Stores manifests: which path of a deployment is which blob. */

import { and, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { inTurns } from '../../lib/async/in-turns.ts'
import { AppError } from '../../lib/errors.ts'
import { isCompressible } from '../../lib/names/media-type.ts'
import { maxEncodedBytes, minEncodedBytes } from '../../stores/blobs/encodings.ts'
import { isOneOf, type KnownBlob } from '../../stores/blobs/rows.ts'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { manifestEntries, manifests } from '../../stores/db/schema/manifests.ts'
import { findHashed } from './hashed-names/find-hashed.ts'
import type { Rules } from './rules/rules.ts'

/** A path with its blob as it was looked up. */
export type Entry = { path: string; blob: KnownBlob }

/**
 * `isServed`: as a site, which is compressed; otherwise the sources of a build, or the files of a server.
 * Those have `links`, each path with its target relative to its own directory, and `executables`.
 */
export type NewManifest = {
  teamId: string
  entries: Entry[]
  rules: Rules | null
  isServed: boolean
  links?: Record<string, string>
  executables?: string[]
}

/** No blob has this id, so that a manifest with it is refused. */
const gone: KnownBlob = { id: 0, sha256: '', size: 0, object: '', isMarked: false, isUnencoded: false }

/** An entry for each of the files, whose blobs are known by digest. */
export function toEntries(
  files: readonly { path: string; sha256: string }[],
  known: ReadonlyMap<string, KnownBlob>,
): Entry[] {
  return files.map(({ path, sha256 }) => ({ path, blob: known.get(sha256) ?? gone }))
}

/**
 * The manifest, once the transaction is committed; `changed` are the blobs that it changed, `hashed` the
 * files of a served one whose names contain a hash.
 */
export type WrittenManifest = { id: number; changed: KnownBlob[]; hashed: Entry[] }

/**
 * Writes a manifest, unmarks its blobs for collection, and queues compressible blobs of a served one for
 * compression, all in the caller's transaction.
 * @throws AppError `files_missing` when a blob was collected since it was looked up: look all of them up
 * again.
 */
export async function insertManifest(
  tx: Database,
  { teamId, entries, rules, isServed, links, executables }: NewManifest,
  nowMs: number,
): Promise<WrittenManifest> {
  const changed = await takeBlobs(tx, { entries, isServed }, nowMs)
  const ids = [...new Set(entries.map(({ blob }) => blob.id))]
  const { hashPlaces, hashed } = await inTurns(findHashed(isServed ? entries : []))
  const row = { teamId, rules, hashPlaces, links: links ?? null, executables: executables ?? null }
  const manifest = tx.$with('manifest').as(tx.insert(manifests).values(row).returning({ id: manifests.id }))
  // The lock that a foreign key would take for each entry: until the commit nobody deletes the blob.
  const locked = tx
    .$with('locked')
    .as(tx.select({ id: blobs.id }).from(blobs).where(isOneOf(ids)).orderBy(blobs.id).for('key share'))
  // No path contains a line break.
  const paths = entries.map(({ path }) => path).join('\n')
  const blobIds = entries.map(({ blob }) => blob.id).join(',')
  const inserted = tx.$with('inserted', {}).as(sql`
    insert into ${manifestEntries} (manifest_id, path, blob_id)
    select manifest.id, path, blob_id
    from manifest,
      unnest(string_to_array(${paths}, chr(10)), string_to_array(${blobIds}, ',')::bigint[])
        as entries(path, blob_id)`)
  const [made] = await tx
    .with(manifest, locked, inserted)
    .select({ id: manifest.id, blobs: sql`(select count(*) from ${locked})`.mapWith(Number) })
    .from(manifest)
    .prepare('insert_manifest')
    .execute()
  if (made?.blobs !== ids.length) {
    throw new AppError('files_missing', 'Some of the files were deleted meanwhile. Send the request again.')
  }
  return { id: made.id, changed, hashed }
}

/** Releases unreferenced manifests for collection. */
export async function releaseManifests(tx: Database, ids: number[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  await tx.update(manifests).set({ releasedMs: nowMs }).where(inArray(manifests.id, ids))
}

/** The blobs that have to be written to, by id, and which of them are to be compressed. */
function* sortOut(
  entries: Entry[],
  isServed: boolean,
): Generator<void, { taken: Map<number, KnownBlob>; toEncode: Set<number> }> {
  const toEncode = new Set<number>()
  const taken = new Map<number, KnownBlob>()
  for (const { path, blob } of entries) {
    const isOpen = isServed && blob.isUnencoded && !toEncode.has(blob.id)
    if (isOpen && isCompressible(path)) toEncode.add(blob.id)
    if (blob.isMarked || toEncode.has(blob.id)) taken.set(blob.id, blob)
    yield
  }
  return { taken, toEncode }
}

/**
 * One statement, so that concurrent deployments lock shared blobs in one order. Which ones need it is known
 * from the lookup: of a thousand files of an earlier deployment, none does. A blob that was marked since is
 * checked by the collector, which finds the entry.
 */
async function takeBlobs(
  tx: Database,
  { entries, isServed }: Pick<NewManifest, 'entries' | 'isServed'>,
  nowMs: number,
): Promise<KnownBlob[]> {
  const { taken, toEncode } = await inTurns(sortOut(entries, isServed))
  if (taken.size === 0) return []
  const isToEncode = and(
    isOneOf([...toEncode]),
    sql`encode_after_ms is null and encode_attempts = 0`,
    sql`size between ${minEncodedBytes} and ${maxEncodedBytes}`,
  )
  const locked = tx
    .select({ id: blobs.id })
    .from(blobs)
    .where(and(isOneOf([...taken.keys()]), or(isNotNull(blobs.collectAfterMs), isToEncode)))
    .orderBy(blobs.id)
    .for('no key update')
  await tx
    .update(blobs)
    .set({
      collectAfterMs: null,
      encodeAfterMs: sql`case when ${isToEncode} then ${nowMs}::bigint else encode_after_ms end`,
    })
    .where(inArray(blobs.id, locked))
    .prepare('take_blobs')
    .execute()
  return [...taken.values()].map((blob) => ({
    ...blob,
    isMarked: false,
    isUnencoded: blob.isUnencoded && !toEncode.has(blob.id),
  }))
}
