/** Has a deploy hook's project deployed again, from sources that the server keeps. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { deployHooks } from '../../stores/db/schema/deploy-hooks.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import type { Deployer } from '../callers/actor.ts'
import { wholeTeam } from '../callers/scope.ts'
import { type CreateDeps, createDeployment } from '../deployments/create-deployment.ts'
import type { DeploymentRecord } from '../deployments/deployment-output.ts'
import { getDeployment } from '../deployments/read-deployment.ts'
import { findBase } from './base.ts'
import { type KnownHook, lockDeployHook } from './find-hook.ts'
import { addUse } from './limit-uses.ts'

/** `isNew`: whether this request made the deployment. */
export type Run = { deployment: DeploymentRecord; isNew: boolean }

type Request = { address: string; requestId: string }

/**
 * Deploys the hook's base again in the name of the hook's maker. While the hook's last deployment of that
 * base is still queued, it is the answer, since it will build what is there: so a burst of requests doesn't
 * make one each.
 * @throws AppError `deploy_hook_not_found` where the hook has ended by now, `nothing_to_rebuild`,
 * `rate_limited`; as `createDeployment` does.
 */
export async function runDeployHook(deps: CreateDeps, hook: KnownHook, request: Request): Promise<Run> {
  const { db } = deps.store
  const base = await findBase(db, hook)
  const queued = await findQueued(db, hook, base.id)
  if (queued !== undefined) return again(deps, hook, queued)
  // Refused before anything is done; the hook's row decides once it is locked.
  addUse(hook.usesMs, deps.nowMs())
  const { teamId, projectId, userId, name: hookName } = hook
  const principal = { kind: 'hook', userId, teamId, projects: [projectId], hookName } as const
  const deployer: Deployer = { principal, ...request }
  const input = { project: projectId, from: base.id, target: base.target }
  try {
    const deployment = await createDeployment(deps, deployer, input, (tx, made) =>
      noteUse(tx, { hook, baseId: base.id, made: madeSchema.parse(made) }),
    )
    return { deployment, isNew: true }
  } catch (error) {
    const winner = error instanceof AlreadyQueued ? error.id : await findWinner(db, error, hook.id, base.id)
    if (winner === undefined) throw error
    return again(deps, hook, winner)
  }
}

/** The deployment of the first of several requests at once; those of the others are rolled back. */
class AlreadyQueued extends Error {
  readonly id: string

  constructor(id: string) {
    super(`The hook has ${id} queued.`)
    this.id = id
  }
}

/** A deployment that was just inserted, of which no more is needed. */
const madeSchema = z.object({ id: z.string(), created_ms: z.number() })

type Use = { hook: KnownHook; baseId: string; made: z.infer<typeof madeSchema> }

/**
 * The last step of the transaction, so that rows are locked in the order of deletions: the project, then what
 * goes with it.
 */
async function noteUse(tx: Database, { hook: { id }, baseId, made }: Use): Promise<void> {
  const hook = await lockDeployHook(tx, id)
  if (!hook) throw new AppError('deploy_hook_not_found', 'This deploy hook has ended.')
  const queued = await findQueued(tx, hook, baseId)
  if (queued !== undefined) throw new AlreadyQueued(queued)
  await tx
    .update(deployHooks)
    .set({ usesMs: addUse(hook.usesMs, made.created_ms), lastDeploymentId: made.id })
    .where(eq(deployHooks.id, id))
}

/** The hook's last deployment, if that is queued with the sources of this one. */
async function findQueued(
  db: Database,
  { lastDeploymentId }: Pick<KnownHook, 'lastDeploymentId'>,
  baseId: string,
): Promise<string | undefined> {
  if (lastDeploymentId === null) return undefined
  const [queued] = await db
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.id, lastDeploymentId),
        eq(deployments.state, 'queued'),
        eq(deployments.redeployOf, baseId),
      ),
    )
  return queued?.id
}

/** The queue may be full because of the deployment that a request at the same time has made. */
async function findWinner(
  db: Database,
  error: unknown,
  id: string,
  baseId: string,
): Promise<string | undefined> {
  if (!(error instanceof AppError) || error.reason !== 'too_many_queued') return undefined
  const [hook] = await db
    .select({ lastDeploymentId: deployHooks.lastDeploymentId })
    .from(deployHooks)
    .where(eq(deployHooks.id, id))
  return hook && findQueued(db, hook, baseId)
}

async function again(deps: CreateDeps, { teamId }: KnownHook, id: string): Promise<Run> {
  return { deployment: await getDeployment(deps, wholeTeam(teamId), id), isNew: false }
}
