/** Reserves the labels of deleted deployments for a time, and frees them after it. */
import { and, asc, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'

/** How long links and browser caches may still lead there. */
const keptMs = 30 * 24 * 60 * 60 * 1000

const perStep = 1_000

/**
 * Releases labels of deployments, branches and pull requests: only their team may reuse them. Resolves to
 * these labels.
 */
export async function releaseLabels(tx: Database, found: SQL | undefined, nowMs: number): Promise<string[]> {
  const released = await tx
    .update(hosts)
    .set({ projectId: null, deploymentId: null, branch: null, pullRequest: null, freedMs: nowMs })
    .where(and(found, isNotNull(hosts.deploymentId)))
    .returning({ label: hosts.label })
  return released.map(({ label }) => label)
}

/** Frees up to 1,000 labels that were released 30 days ago. Resolves to how many. */
export async function freeLabels({ db, nowMs }: { db: Database; nowMs: number }): Promise<number> {
  const free = db
    .select({ label: hosts.label })
    .from(hosts)
    .where(and(isNotNull(hosts.freedMs), lte(hosts.freedMs, nowMs - keptMs)))
    .orderBy(asc(hosts.freedMs))
    .limit(perStep)
    .for('update', { skipLocked: true })
  const freed = await db
    .delete(hosts)
    .where(sql`${hosts.label} = any(array(${free}))`)
    .returning({ label: hosts.label })
  return freed.length
}
