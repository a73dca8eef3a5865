/** Remembers what a project's deployments serve under names with a hash. */
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { inTurns } from '../../../lib/async/in-turns.ts'
import type { Database } from '../../../stores/db/database.ts'
import { blobs } from '../../../stores/db/schema/blobs.ts'
import { manifestEntries } from '../../../stores/db/schema/manifests.ts'
import { nameHistories } from '../../../stores/db/schema/name-histories.ts'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import type { Entry } from '../manifest.ts'
import { findHashed } from './find-hashed.ts'
import { addToHistory, emptyHistory, type NameHistory } from './name-history.ts'

/**
 * Adds a new deployment's `hashed` files to the history of its project, and announces it if one of them has
 * changed under its name. Call it with the project locked or not at all afterwards: the history is locked
 * until the transaction ends. Never for an untrusted one, which could end the caching of every name.
 */
export async function rememberNames(
  tx: Transaction,
  { projectId, manifestId }: { projectId: string; manifestId: number },
  hashed: readonly Entry[],
): Promise<void> {
  if (hashed.length === 0) return
  const history = (await lockHistory(tx, projectId)) ?? (await beginHistory(tx, projectId, manifestId))
  const files = hashed.map(({ path, blob }) => ({ path, sha256: blob.sha256 }))
  const { seen, changed, isNew, hasChanged } = await inTurns(addToHistory(history, files))
  if (!isNew) return
  await tx.update(nameHistories).set({ seen, changed }).where(eq(nameHistories.projectId, projectId))
  if (hasChanged) tx.announce({ kind: 'project', id: projectId })
}

async function lockHistory(tx: Database, projectId: string): Promise<NameHistory | undefined> {
  const [history] = await tx
    .select({ seen: nameHistories.seen, changed: nameHistories.changed })
    .from(nameHistories)
    .where(eq(nameHistories.projectId, projectId))
    .for('update')
    .prepare('lock_name_history')
    .execute()
  return history
}

/** From what was deployed before histories were kept. */
async function beginHistory(tx: Database, projectId: string, manifestId: number): Promise<NameHistory> {
  let history = emptyHistory
  for (const earlier of await findEarlier(tx, projectId, manifestId)) {
    history = await inTurns(addToHistory(history, await readHashed(tx, earlier)))
  }
  const { seen, changed } = history
  await tx.insert(nameHistories).values({ projectId, seen, changed }).onConflictDoNothing()
  return (await lockHistory(tx, projectId)) ?? history
}

/** The manifests of the latest deployment and of the live one. */
async function findEarlier(tx: Database, projectId: string, manifestId: number): Promise<number[]> {
  const live = sql`${deployments.id} is not distinct from ${projects.productionDeploymentId}`
  const rows = await tx
    .select({ id: deployments.manifestId })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(
      and(
        eq(deployments.projectId, projectId),
        eq(deployments.state, 'ready'),
        eq(deployments.untrusted, false),
        ne(deployments.manifestId, manifestId),
      ),
    )
    .orderBy(desc(live), desc(deployments.createdMs))
    .limit(2)
  return rows.flatMap(({ id }) => id ?? [])
}

async function readHashed(tx: Database, manifestId: number): Promise<{ path: string; sha256: string }[]> {
  const files = await tx
    .select({ path: manifestEntries.path, sha256: blobs.sha256 })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(eq(manifestEntries.manifestId, manifestId))
  const { hashed } = await inTurns(findHashed(files))
  return hashed
}
