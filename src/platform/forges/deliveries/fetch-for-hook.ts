/** Has a deploy hook's branch fetched from the repository of its project, and deployed again. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { deployHooks } from '../../../stores/db/schema/deploy-hooks.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import { productionBranchOf } from '../../git/production-branch.ts'
import { type KnownHook, lockDeployHook } from '../../hooks/find-hook.ts'
import { addUse } from '../../hooks/limit-uses.ts'
import { type Answer, answerColumns, keepDelivery } from './receive.ts'
import type { Work } from './work.ts'

type Deps = { store: Store; nowMs: () => number }

/** The name of the event in lists and in the log. */
const event = 'deploy hook'

/**
 * Queues it among what the forge sends; without a branch it is the production branch. While a request of the
 * hook waits, that is the answer, since it will fetch what is there by then.
 * @throws AppError `deploy_hook_not_found` where the hook has ended by now, `rate_limited`,
 * `too_many_waiting`.
 */
export async function fetchForHook(
  { store, nowMs: now }: Deps,
  hook: KnownHook & { repository: string },
  from: Work['from'],
): Promise<Answer> {
  const { id, teamId, projectId } = hook
  const branch = hook.branch ?? (await productionBranchOf(store.db, projectId, []))
  const waiting = await findWaiting(store.db, { id, projectId, branch })
  if (waiting) return waiting
  const nowMs = now()
  // Refused before anything is done; the hook's row decides once it is locked.
  addUse(hook.usesMs, nowMs)
  return store.transact(async (tx) => {
    const plan = { branch, kind: 'fetch', hook: id } as const
    // Requests at the same time have read the same uses: one of them is kept, and is the answer to all.
    const forgeId = `${id}:${hook.usesMs.at(-1) ?? 0}`
    const received = { forgeId, event, plan, from, repository: hook.repository }
    const { answer, isNew } = await keepDelivery(tx, { teamId, projectId }, received, nowMs)
    if (!isNew) return answer
    // In the order of deletions: the project, which the delivery has locked, then what goes with it.
    const locked = await lockDeployHook(tx, id)
    if (!locked) throw new AppError('deploy_hook_not_found', 'This deploy hook has ended.')
    const usesMs = addUse(locked.usesMs, nowMs)
    await tx.update(deployHooks).set({ usesMs }).where(eq(deployHooks.id, id))
    return answer
  })
}

/** Resolves to the fetch of the branch that the hook has queued, if no worker has begun it. */
async function findWaiting(
  db: Database,
  { id, projectId, branch }: { id: string; projectId: string; branch: string },
): Promise<Answer | undefined> {
  const [found] = await db
    .select(answerColumns)
    .from(forgeDeliveries)
    .where(
      and(
        eq(forgeDeliveries.projectId, projectId),
        eq(forgeDeliveries.branch, branch),
        eq(forgeDeliveries.status, sql`'pending'`),
        eq(forgeDeliveries.attempts, 0),
        isNull(forgeDeliveries.worker),
        sql`${forgeDeliveries.work} ->> 'hook' = ${id}`,
      ),
    )
    .orderBy(asc(forgeDeliveries.receivedMs), asc(forgeDeliveries.id))
    .limit(1)
  return found
}
