/**
 * Uploads that clients send straight to the blob store: from their URLs until they are blobs, or their time
 * is over.
 */
import { and, asc, count, eq, gt, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { Database } from '../db/database.ts'
import { blobs } from '../db/schema/blobs.ts'
import { directUploads } from '../db/schema/direct-uploads.ts'
import type { BlobIdentity, BlobStore, SignUpload } from './blob-store.ts'
import { newObjectName } from './object-identity.ts'
import { recordStored } from './record-stored.ts'
import { type KnownBlob, recordBlobs, type StoredBlob } from './rows.ts'

type Deps = { db: Database; blobs: BlobStore; nowMs: number }

const minuteMs = 60_000

const validityMs = 15 * minuteMs

/** An upload that is valid for less than this is prolonged when it is requested again. */
const minValidityMs = 10 * minuteMs

/**
 * How long an object may wait for its deployment after its URL has expired; by then its sending has ended,
 * too.
 */
const keptMs = 60 * minuteMs

/** The expiry of an upload whose object is being removed, so that nothing uses it any more. */
const removing = 0

/** Open uploads of a team: further files pass through the node. */
const maxOpen = 10_000

const lookupsAtOnce = 32
const removalsAtOnce = 16
const removedPerRound = 500

/** An upload with the name that its object gets. */
export type OpenUpload = BlobIdentity & { object: string; expiresMs: number }

/**
 * Opens uploads of the wanted blobs, as many as the team may have; those that are open already keep their
 * names. Until they expire, the quota counts them.
 */
export async function openUploads(
  tx: Database,
  teamId: string,
  wanted: BlobIdentity[],
  nowMs: number,
): Promise<OpenUpload[]> {
  const isOpen = gt(directUploads.expiresMs, nowMs)
  const [all] = await tx
    .select({ count: count() })
    .from(directUploads)
    .where(and(eq(directUploads.teamId, teamId), isOpen))
  const others = (all?.count ?? 0) - (await find(tx, teamId, wanted, isOpen)).length
  // In a fixed order, so that concurrent calls don't deadlock.
  const rows = wanted
    .slice(0, Math.max(0, maxOpen - others))
    .toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
    .map(({ sha256, size }) => ({ sha256, size, object: newObjectName(teamId, sha256) }))
  if (rows.length === 0) return []
  await tx.execute(sql`
    insert into ${directUploads} (team_id, sha256, size, object, expires_ms)
    select ${teamId}, sha256, size, object, ${nowMs + validityMs}::bigint
    from json_to_recordset(${JSON.stringify(rows)}::json) as wanted(sha256 text, size bigint, object text)
    on conflict (team_id, sha256) do update set expires_ms = excluded.expires_ms, size = excluded.size
    where ${ne(directUploads.expiresMs, removing)} and (
      ${lt(directUploads.expiresMs, nowMs + minValidityMs)} or ${directUploads.size} <> excluded.size)`)
  return find(tx, teamId, rows, isOpen)
}

/** The uploads of the blobs, with their signatures; without those of sizes that the store doesn't take so. */
export function signAll(sign: SignUpload, uploads: OpenUpload[], nowMs: number) {
  return uploads.flatMap(({ sha256, size, object, expiresMs }) => {
    const direct = sign(object, { sha256, size }, Math.floor((expiresMs - nowMs) / 1_000))
    return direct ? { sha256, direct } : []
  })
}

/** The bytes of a team's open uploads, as far as the team hasn't their blobs in another way by now. */
export async function sumOpenBytes(tx: Database, teamId: string, nowMs: number): Promise<number> {
  const isKnown = sql`exists (
    select from ${blobs}
    where ${blobs.teamId} = ${directUploads.teamId} and ${blobs.sha256} = ${directUploads.sha256})`
  const [open] = await tx
    .select({ bytes: sql`coalesce(sum(${directUploads.size}), 0)`.mapWith(Number) })
    .from(directUploads)
    .where(and(eq(directUploads.teamId, teamId), gt(directUploads.expiresMs, nowMs), sql`not ${isKnown}`))
  return open?.bytes ?? 0
}

/** Which of the blobs have open uploads. */
export async function findOpenDigests(
  tx: Database,
  teamId: string,
  wanted: BlobIdentity[],
  nowMs: number,
): Promise<Set<string>> {
  const open = await find(tx, teamId, wanted, gt(directUploads.expiresMs, nowMs))
  return new Set(open.map(({ sha256 }) => sha256))
}

/**
 * Makes blobs of what has arrived. Returns those of the wanted blobs that came so.
 * @throws AppError `store_unavailable`.
 */
export async function takeArrived(deps: Deps, teamId: string, wanted: BlobIdentity[]): Promise<KnownBlob[]> {
  const { db, blobs: store, nowMs } = deps
  const open = await find(db, teamId, wanted, ne(directUploads.expiresMs, removing))
  const sizes = await inParallel(open, lookupsAtOnce, ({ object }) => store.sizeOf(object))
  const arrived = open
    .filter(({ size }, index) => sizes[index] === size)
    .map(({ sha256, size, object }) => ({ teamId, sha256, size, object }))
  return recordStored(deps, arrived, (stored) =>
    // Whoever deletes the row decides what becomes of the object.
    db.transaction(async (tx) => recordBlobs(tx, await takeRows(tx, stored), nowMs)),
  )
}

async function takeRows(tx: Database, stored: StoredBlob[]): Promise<StoredBlob[]> {
  const objects = stored.map(({ object }) => object)
  const locked = tx
    .select({ object: directUploads.object })
    .from(directUploads)
    .where(and(inArray(directUploads.object, objects), ne(directUploads.expiresMs, removing)))
    .orderBy(directUploads.sha256)
    .for('update')
  const taken = await tx
    .delete(directUploads)
    .where(inArray(directUploads.object, locked))
    .returning({ object: directUploads.object })
  const names = new Set(taken.map(({ object }) => object))
  return stored.filter(({ object }) => names.has(object))
}

/**
 * Removes what was uploaded and not deployed within an hour. Rounds that fail are repeated by the next.
 * Returns how many uploads have ended.
 */
export async function removeExpiredUploads({ db, blobs: store, nowMs }: Deps): Promise<number> {
  const due = db
    .select({ object: directUploads.object })
    .from(directUploads)
    .where(lt(directUploads.expiresMs, nowMs - keptMs))
    .orderBy(asc(directUploads.expiresMs))
    .limit(removedPerRound)
    .for('update', { skipLocked: true })
  const claimed = await db
    .update(directUploads)
    .set({ expiresMs: removing })
    .where(inArray(directUploads.object, due))
    .returning({ object: directUploads.object })
  if (claimed.length === 0) return 0
  const objects = claimed.map(({ object }) => object)
  await inParallel(objects, removalsAtOnce, store.remove)
  await db.delete(directUploads).where(inArray(directUploads.object, objects))
  return objects.length
}

/** A join, for the same reasons as that of `findBlobs`. */
function find(tx: Database, teamId: string, wanted: BlobIdentity[], condition: SQL): Promise<OpenUpload[]> {
  const digests = wanted.map(({ sha256 }) => sha256).join(',')
  return tx
    .select({
      sha256: directUploads.sha256,
      size: directUploads.size,
      object: directUploads.object,
      expiresMs: directUploads.expiresMs,
    })
    .from(directUploads)
    .innerJoin(
      sql`unnest(string_to_array(${digests}, ',')) as wanted(digest)`,
      sql`${directUploads.sha256} = wanted.digest`,
    )
    .where(and(eq(directUploads.teamId, teamId), condition))
}
