/** The release command of a deployment: it is begun once, and never beside another one of its project. */
import { and, eq, isNotNull, lte, ne } from 'drizzle-orm'
import { isUniqueViolation } from '../../../stores/db/failures.ts'
import { deployments } from '../../../stores/db/schema/projects.ts'
import type { Store } from '../../../stores/db/store.ts'
import { type Held, isHeld } from './held.ts'

/** The length of the lease of a command that runs, in milliseconds; it is extended while its worker lives. */
export const releaseLeaseMs = 30_000

/**
 * `begun`: the caller runs it now, and nobody did before. `ended`: it ran, and ended as it should. `lost`: it
 * was begun, and nobody knows how far it came. `occupied`: another one of the project is running.
 */
export type ReleaseTurn = 'begun' | 'ended' | 'lost' | 'occupied'

type Deps = { store: Store; nowMs: () => number }

/**
 * Takes the turn of a deployment's release command, which is marked as begun before it starts.
 * @throws Error when the worker has lost the build.
 */
export async function beginRelease(
  { store, nowMs }: Deps,
  held: Held,
  projectId: string,
): Promise<ReleaseTurn> {
  const now = nowMs()
  const isOver = lte(deployments.releaseLeaseUntilMs, now)
  try {
    return await store.transact(async (tx) => {
      const [known] = await tx
        .select({ begunMs: deployments.releaseBegunMs, endedMs: deployments.releaseEndedMs })
        .from(deployments)
        .where(isHeld(held))
        .for('update')
      if (!known) throw new Error(`The build of ${held.id} is another worker's by now.`)
      if (known.begunMs !== null) return known.endedMs === null ? 'lost' : 'ended'
      await tx
        .update(deployments)
        .set({ releaseLeaseUntilMs: null })
        .where(
          and(
            eq(deployments.projectId, projectId),
            ne(deployments.id, held.id),
            isNotNull(deployments.releaseLeaseUntilMs),
            isOver,
          ),
        )
      await tx
        .update(deployments)
        .set({ releaseBegunMs: now, releaseLeaseUntilMs: now + releaseLeaseMs })
        .where(eq(deployments.id, held.id))
      return 'begun'
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'occupied'
    throw error
  }
}

/** Extends the lease of a command that runs, whatever has become of its deployment. */
export async function extendRelease({ store, nowMs }: Deps, id: string): Promise<void> {
  await store.db
    .update(deployments)
    .set({ releaseLeaseUntilMs: nowMs() + releaseLeaseMs })
    .where(and(eq(deployments.id, id), isNotNull(deployments.releaseLeaseUntilMs)))
}

/** Ends the turn of a command of which nothing runs any more; `isDone` where it ended as it should. */
export async function endRelease({ store, nowMs }: Deps, id: string, isDone: boolean): Promise<void> {
  await store.db
    .update(deployments)
    .set({ releaseLeaseUntilMs: null, ...(isDone && { releaseEndedMs: nowMs() }) })
    .where(eq(deployments.id, id))
}
