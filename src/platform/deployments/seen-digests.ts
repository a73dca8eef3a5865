/** The digests that a limited member, or a limited key, may name instead of sending their bytes. */
import { desc, eq, inArray, sql } from 'drizzle-orm'
import { findOwnUploads } from '../../stores/blobs/own-uploads.ts'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import type { Deployer } from '../callers/actor.ts'
import { scopedKeyOf } from '../callers/key-limits/limits.ts'

/** A limited member or key, by its id, and the project to which it deploys. */
export type Sender = { teamId: string; senderId: string; projectId: string }

/**
 * The sender of files to the project, if the caller is limited to some projects. What was sent with one of a
 * person's limited keys is unseen with another.
 */
export function limitedSender(principal: Deployer['principal'], projectId: string): Sender | undefined {
  const { teamId, userId, projects } = principal
  if (projects === null) return undefined
  const isCaller = principal.kind !== 'hook' && principal.kind !== 'forge'
  return { teamId, senderId: (isCaller && scopedKeyOf(principal)) || userId, projectId }
}

/** How many deployments the project's files are looked for in: most are those of the last one. */
const latest = 10

/**
 * Those of the digests whose files the project's latest ten deployments serve, run or are built of, or that
 * the sender has uploaded itself.
 */
export async function findSeenDigests(
  db: Database,
  sender: Sender,
  digests: string[],
  nowMs: number,
): Promise<Set<string>> {
  const [own, known] = await Promise.all([
    findOwnUploads(db, sender, digests, nowMs),
    findDeployed(db, sender.projectId, digests),
  ])
  return new Set([...own, ...known])
}

async function findDeployed(db: Database, projectId: string, digests: string[]): Promise<string[]> {
  const manifests = await db
    .select({
      served: deployments.manifestId,
      sources: deployments.sourceManifestId,
      server: deployments.serverManifestId,
    })
    .from(deployments)
    .where(eq(deployments.projectId, projectId))
    .orderBy(desc(deployments.createdMs), desc(deployments.id))
    .limit(latest)
  const ids = manifests.flatMap((row) => Object.values(row)).flatMap((id) => id ?? [])
  if (ids.length === 0) return []
  const rows = await db
    .selectDistinct({ sha256: blobs.sha256 })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .innerJoin(
      sql`unnest(string_to_array(${digests.join(',')}, ',')) as wanted(digest)`,
      sql`${blobs.sha256} = wanted.digest`,
    )
    .where(inArray(manifestEntries.manifestId, ids))
  return rows.map(({ sha256 }) => sha256)
}
