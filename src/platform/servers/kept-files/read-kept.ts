/** Reads what the database knows of the files of servers. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { blobs } from '../../../stores/db/schema/blobs.ts'
import { manifestEntries, manifests } from '../../../stores/db/schema/manifests.ts'

/** A file of a server, with the name of its object in the blob store. */
export type KeptFile = { path: string; object: string; size: number }

/** All of a kept manifest. */
export type KeptManifest = { files: KeptFile[]; links: Record<string, string>; executables: string[] }

/** The unit in which a disk stores files. */
const blockBytes = 4_096

/** The manifest; undefined if it doesn't exist, or its deployment is deleted. */
export async function readKept(db: Database, manifestId: number): Promise<KeptManifest | undefined> {
  const files = await db
    .select({ path: manifestEntries.path, object: blobs.object, size: blobs.size })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(eq(manifestEntries.manifestId, manifestId))
  // Afterwards: what is not released by now had all of its entries before.
  const [row] = await db
    .select({ links: manifests.links, executables: manifests.executables })
    .from(manifests)
    .where(and(eq(manifests.id, manifestId), isNull(manifests.releasedMs)))
  return row && { files, links: row.links ?? {}, executables: row.executables ?? [] }
}

/**
 * The files of a manifest: the space that they take on a disk, in bytes, and a digest of what is in them, by
 * which a node recognizes those that it has. The id alone does not identify them, since a restored database
 * gives the same ids again.
 */
export type KeptIdentity = { bytes: number; digest: string }

/** Those of the manifests whose deployments aren't deleted. */
export async function findIdentities(
  db: Database,
  manifestIds: number[],
): Promise<Map<number, KeptIdentity>> {
  if (manifestIds.length === 0) return new Map()
  const inBlocks = sql`(${blobs.size} + ${blockBytes - 1}) / ${blockBytes} * ${blockBytes}`
  const files = sql`string_agg(
    md5(${manifestEntries.path}) || ${blobs.sha256}, '' order by ${manifestEntries.path})`
  const contents = sql`concat(${files}, ${manifests.links}::text, ${manifests.executables}::text)`
  const rows = await db
    .select({
      id: manifests.id,
      bytes: sql`coalesce(sum(${inBlocks}), 0)`.mapWith(Number),
      digest: sql<string>`encode(sha256(convert_to(${contents}, 'UTF8')), 'hex')`,
    })
    .from(manifests)
    .leftJoin(manifestEntries, eq(manifestEntries.manifestId, manifests.id))
    .leftJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(and(inArray(manifests.id, manifestIds), isNull(manifests.releasedMs)))
    .groupBy(manifests.id)
  return new Map(rows.map(({ id, ...identity }) => [id, identity]))
}

/** Those of the manifests whose deployments aren't deleted. */
export async function findUndeleted(db: Database, manifestIds: number[]): Promise<Set<number>> {
  if (manifestIds.length === 0) return new Set()
  const rows = await db
    .select({ id: manifests.id })
    .from(manifests)
    .where(and(inArray(manifests.id, manifestIds), isNull(manifests.releasedMs)))
  return new Set(rows.map(({ id }) => id))
}
