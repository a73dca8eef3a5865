/** Deploy hooks as owners manage them: made, listed and revoked. */
import { and, count, desc, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { deployHooks } from '../../stores/db/schema/deploy-hooks.ts'
import { members, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import { makerColumns, makerEnd, ofMaker } from '../callers/maker-right.ts'
import type { Scope } from '../callers/scope.ts'
import { lockProject, type NamedProject } from '../projects/lock-project.ts'
import { findProjectId } from '../projects/read-project.ts'
import { deployHookUrl, hashHookSecret, newHookSecret } from './address.ts'
import { hookNeed } from './find-hook.ts'
import type { DeployHookReference, NewDeployHook } from './hook-input.ts'
import type { DeployHookRecord } from './hook-output.ts'

/** The most deploy hooks of a project. */
const maxHooks = 20

type Deps = { store: Store; apiUrl: string; nowMs: () => number }

/**
 * Makes a hook of the team's project. Its `url` is in no other response, and acts while the caller is an
 * owner.
 * @throws AppError `role_required`, `project_not_found`, `too_many_deploy_hooks`; as `holdCaller` does.
 */
export async function createDeployHook(
  { store, apiUrl, nowMs: now }: Deps,
  actor: Actor,
  { project: reference, name, branch }: NewDeployHook,
): Promise<DeployHookRecord & { url: string }> {
  const { teamId, userId } = actor.principal
  const nowMs = now()
  const secret = newHookSecret()
  return store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'make deploy hooks')
    // Also serializes creations.
    const project = await lockProject(tx, actor.principal, reference)
    await requireRoom(tx, project.id)
    const id = newId('deployHook', nowMs)
    await tx.insert(deployHooks).values({
      id,
      teamId,
      projectId: project.id,
      name,
      branch,
      secretSha256: hashHookSecret(secret),
      createdBy: userId,
      createdMs: nowMs,
    })
    await recordChange(tx, actor, { type: 'hook.created', hook: { id, name, branch }, project }, nowMs)
    const [made] = await select(tx).where(eq(deployHooks.id, id))
    if (!made) throw new Error('An insert left no row.')
    return { ...toRecord(made), url: deployHookUrl(apiUrl, secret) }
  })
}

/** The hooks of the team's project, newest first. @throws AppError `project_not_found`. */
export async function listDeployHooks(
  { store }: Pick<Deps, 'store'>,
  scope: Scope,
  reference: string,
): Promise<{ data: DeployHookRecord[] }> {
  const projectId = await findProjectId(store.lookUps, scope, reference)
  const rows = await select(store.db)
    .where(eq(deployHooks.projectId, projectId))
    .orderBy(desc(deployHooks.createdMs), desc(deployHooks.id))
    .limit(maxHooks)
  return { data: rows.map(toRecord) }
}

/**
 * Revokes a hook: no later request finds it. What it has deployed stays.
 * @throws AppError `role_required`, `project_not_found`, `deploy_hook_not_found`; as `holdCaller` does.
 */
export async function revokeDeployHook(
  { store, nowMs }: Pick<Deps, 'store' | 'nowMs'>,
  actor: Actor,
  { project: reference, id }: DeployHookReference,
): Promise<{ id: string; deleted: true }> {
  await store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'revoke deploy hooks')
    const project = await lockProject(tx, actor.principal, reference)
    const [hook] = await tx
      .delete(deployHooks)
      .where(and(eq(deployHooks.id, id), eq(deployHooks.projectId, project.id)))
      .returning({ id: deployHooks.id, name: deployHooks.name, branch: deployHooks.branch })
    if (!hook) throw new AppError('deploy_hook_not_found', 'The project has no such deploy hook.')
    await recordChange(tx, actor, { type: 'hook.revoked', hook, project }, nowMs())
  })
  return { id, deleted: true }
}

async function requireRoom(tx: Database, projectId: string): Promise<void> {
  const [kept] = await tx
    .select({ hooks: count() })
    .from(deployHooks)
    .where(eq(deployHooks.projectId, projectId))
  if ((kept?.hooks ?? 0) < maxHooks) return
  const message = `A project has at most ${maxHooks} deploy hooks. Revoke one first.`
  throw new AppError('too_many_deploy_hooks', message)
}

type Change = {
  type: 'hook.created' | 'hook.revoked'
  hook: { id: string; name: string; branch: string | null }
  project: NamedProject
}

function recordChange(
  tx: Transaction,
  actor: Actor,
  { type, hook, project }: Change,
  nowMs: number,
): Promise<void> {
  const { teamId } = actor.principal
  const data = { hook: { ...hook, project: project.name } }
  return recordEvents(tx, { origin: originOf(actor), nowMs }, [{ teamId, type, projectId: project.id, data }])
}

function select(db: Database) {
  return db
    .select({
      id: deployHooks.id,
      name: deployHooks.name,
      branch: deployHooks.branch,
      created_by: deployHooks.createdBy,
      created_by_name: users.name,
      created_ms: deployHooks.createdMs,
      usesMs: deployHooks.usesMs,
      projectId: deployHooks.projectId,
      ...makerColumns,
    })
    .from(deployHooks)
    .innerJoin(users, eq(users.id, deployHooks.createdBy))
    .leftJoin(members, ofMaker(deployHooks))
}

type Row = Awaited<ReturnType<typeof select>>[number]

function toRecord({ usesMs, projectId, makerRole, makerProjects, ...row }: Row): DeployHookRecord {
  const ended = makerEnd({ makerRole, makerProjects }, hookNeed(projectId))
  return { ...row, last_used_ms: usesMs.at(-1) ?? 0, ended }
}
