/** Trust policies of projects, as their team's owners manage them. */
import { and, count, desc, eq } from 'drizzle-orm'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { members, users } from '../../stores/db/schema/teams.ts'
import { trustPolicies } from '../../stores/db/schema/trust-policies.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import { makerColumns, makerEnd, ofMaker, policyNeed } from '../callers/maker-right.ts'
import type { Scope } from '../callers/scope.ts'
import { pinOf } from '../callers/workloads/issuers.ts'
import { lockProject, type NamedProject } from '../projects/lock-project.ts'
import { findProjectId } from '../projects/read-project.ts'
import type { NewTrustPolicy, TrustPolicyReference } from './policy-input.ts'
import type { TrustPolicyRecord } from './policy-output.ts'

/** The most policies of a project. */
const maxPolicies = 20

type Deps = { store: Store; trustedIssuers: readonly string[]; nowMs: () => number }

/**
 * Makes a policy of the team's project, which admits jobs while the caller is an owner.
 * @throws AppError `invalid_input` for an issuer that the node doesn't trust, and for claims that don't name
 * one repository of it; `role_required`, `project_not_found`, `too_many_trust_policies`; as `holdCaller`.
 */
export async function createTrustPolicy(
  { store, trustedIssuers, nowMs: now }: Deps,
  actor: Actor,
  { project: reference, issuer, claims, targets, bind_branch }: NewTrustPolicy,
): Promise<TrustPolicyRecord> {
  checkIssuer(trustedIssuers, issuer)
  checkPin(issuer, claims)
  const { teamId, userId } = actor.principal
  const nowMs = now()
  return store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'make trust policies')
    // Also serializes creations.
    const project = await lockProject(tx, actor.principal, reference)
    await requireRoom(tx, project.id)
    const id = newId('trustPolicy', nowMs)
    await tx.insert(trustPolicies).values({
      id,
      teamId,
      projectId: project.id,
      issuer,
      claims,
      targets,
      bindBranch: bind_branch,
      createdBy: userId,
      createdMs: nowMs,
    })
    const policy = { id, issuer, claims, targets, bind_branch }
    await recordChange(tx, actor, { type: 'trust.created', policy, project }, nowMs)
    const [made] = await select(tx).where(eq(trustPolicies.id, id))
    if (!made) throw new Error('An insert left no row.')
    return toRecord(made)
  })
}

/** The policies of the team's project, newest first. @throws AppError `project_not_found`. */
export async function listTrustPolicies(
  { store }: Pick<Deps, 'store'>,
  scope: Scope,
  reference: string,
): Promise<{ data: TrustPolicyRecord[] }> {
  const projectId = await findProjectId(store.lookUps, scope, reference)
  const rows = await select(store.db)
    .where(eq(trustPolicies.projectId, projectId))
    .orderBy(desc(trustPolicies.createdMs), desc(trustPolicies.id))
    .limit(maxPolicies)
  return { data: rows.map(toRecord) }
}

/**
 * Revokes a policy, and with it the JWTs that it was the reason for: on this node once this returns, within a
 * second on others. What they have deployed stays.
 * @throws AppError `role_required`, `project_not_found`, `trust_policy_not_found`; as `holdCaller` does.
 */
export async function revokeTrustPolicy(
  { store, nowMs }: Pick<Deps, 'store' | 'nowMs'>,
  actor: Actor,
  { project: reference, id }: TrustPolicyReference,
): Promise<{ id: string; deleted: true }> {
  await store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'revoke trust policies')
    const project = await lockProject(tx, actor.principal, reference)
    const [revoked] = await tx
      .delete(trustPolicies)
      .where(and(eq(trustPolicies.id, id), eq(trustPolicies.projectId, project.id)))
      .returning()
    if (!revoked) throw new AppError('trust_policy_not_found', 'The project has no such trust policy.')
    const { issuer, claims, targets, bindBranch: bind_branch, createdBy } = revoked
    // Its callers act as who made it.
    tx.announce({ kind: 'member', id: createdBy })
    const policy = { id, issuer, claims, targets, bind_branch }
    await recordChange(tx, actor, { type: 'trust.revoked', policy, project }, nowMs())
  })
  return { id, deleted: true }
}

function checkIssuer(trusted: readonly string[], issuer: string): void {
  if (trusted.includes(issuer)) return
  throw invalidField(
    'issuer',
    `must be one that this server trusts, exactly as it calls itself: ${trusted.join(', ')}. ` +
      'The operator adds others with SVC_OIDC_TRUST',
  )
}

function checkPin(issuer: string, claims: Record<string, string>): void {
  const pin = pinOf(issuer)
  if (pin === undefined || /^\d+$/.test(claims[pin] ?? '')) return
  throw invalidField(
    `claims.${pin}`,
    'must be the number of the repository, since its name may be given to somebody else one day',
  )
}

async function requireRoom(tx: Database, projectId: string): Promise<void> {
  const [kept] = await tx
    .select({ policies: count() })
    .from(trustPolicies)
    .where(eq(trustPolicies.projectId, projectId))
  if ((kept?.policies ?? 0) < maxPolicies) return
  const message = `A project has at most ${maxPolicies} trust policies. Revoke one first.`
  throw new AppError('too_many_trust_policies', message)
}

type Change = {
  type: 'trust.created' | 'trust.revoked'
  policy: Pick<TrustPolicyRecord, 'id' | 'issuer' | 'claims' | 'targets' | 'bind_branch'>
  project: NamedProject
}

function recordChange(
  tx: Transaction,
  actor: Actor,
  { type, policy, project }: Change,
  nowMs: number,
): Promise<void> {
  const { teamId } = actor.principal
  const data = { policy: { ...policy, project: project.name } }
  return recordEvents(tx, { origin: originOf(actor), nowMs }, [{ teamId, type, projectId: project.id, data }])
}

function select(db: Database) {
  return db
    .select({
      id: trustPolicies.id,
      issuer: trustPolicies.issuer,
      claims: trustPolicies.claims,
      targets: trustPolicies.targets,
      bind_branch: trustPolicies.bindBranch,
      created_by: trustPolicies.createdBy,
      created_by_name: users.name,
      created_ms: trustPolicies.createdMs,
      last_used_ms: trustPolicies.lastUsedMs,
      projectId: trustPolicies.projectId,
      ...makerColumns,
    })
    .from(trustPolicies)
    .innerJoin(users, eq(users.id, trustPolicies.createdBy))
    .leftJoin(members, ofMaker(trustPolicies))
}

type Row = Awaited<ReturnType<typeof select>>[number]

function toRecord({ projectId, makerRole, makerProjects, ...row }: Row): TrustPolicyRecord {
  return { ...row, ended: makerEnd({ makerRole, makerProjects }, policyNeed(projectId)) }
}
