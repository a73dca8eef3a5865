/** API keys: create, revoke. */
import { and, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { apiKeys } from '../../stores/db/schema/keys.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import type { Remember } from '../idempotency/once.ts'
import { type Actor, originOf } from './actor.ts'
import type { CreateLimitedKey } from './credential-input.ts'
import type { NewKeyRecord } from './credential-output.ts'
import { holdCaller } from './hold-caller.ts'
import { requireUnlimitedKey } from './key-limits/limits.ts'
import { checkEnd, findKeyProjects, storeLimits } from './key-limits/set-limits.ts'
import { visibleKeys } from './list-keys.ts'
import type { Role } from './principal.ts'
import { requireOwner } from './roles.ts'
import { hashToken, newToken, tokenPrefix } from './token.ts'

type NewKey = {
  teamId: string
  userId: string
  name: string
  role: Role
  createdMs: number
  limits?: { readOnly: boolean; limited: boolean; expiresMs: number | null }
}

/** Inserts a key; returns its id and its token, which is not stored. */
export async function insertKey(db: Database, key: NewKey): Promise<{ id: string; token: string }> {
  const token = newToken()
  const id = newId('key', key.createdMs)
  await db.insert(apiKeys).values({
    id,
    teamId: key.teamId,
    userId: key.userId,
    name: key.name,
    role: key.role,
    prefix: tokenPrefix(token),
    tokenSha256: hashToken(token),
    createdMs: key.createdMs,
    ...key.limits,
  })
  return { id, token }
}

/**
 * Creates a key of the caller's team that acts as the caller's user, within the limits that it is given. The
 * response is stored without the token.
 * @throws AppError `role_required` when a member requests an `owner` key; `scope` for a caller whose own key
 * has limits; `invalid_input` for an end or a project that can't be; as `holdCaller` does.
 */
export async function createKey(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  input: CreateLimitedKey,
  remember?: Remember,
): Promise<NewKeyRecord> {
  const { principal } = actor
  const { teamId, userId } = principal
  const { name, role: wantedRole, read_only = false, expires_ms } = input
  const createdMs = nowMs()
  requireUnlimitedKey(principal)
  checkEnd(expires_ms, createdMs)
  return store.transact(async (tx) => {
    const role = await holdCaller(tx, principal)
    if (wantedRole === 'owner') requireOwner({ role }, 'create an owner key; use "role": "member"')
    const seen = input.projects ? await findKeyProjects(tx, principal, input.projects) : undefined
    const limits = { readOnly: read_only, limited: seen !== undefined, expiresMs: expires_ms ?? null }
    const { id, token } = await insertKey(tx, { teamId, userId, name, role: wantedRole, createdMs, limits })
    await storeLimits(tx, { id, createdMs }, input, seen ?? [])
    const key = {
      id,
      name,
      prefix: tokenPrefix(token),
      team: principal.teamSlug,
      role: wantedRole,
      created_ms: createdMs,
      last_used_ms: 0,
      expires_ms: limits.expiresMs,
      projects: seen?.map((project) => project.name) ?? null,
      read_only,
    }
    await recordMade(tx, actor, key)
    await remember?.(tx, key)
    return { ...key, token }
  })
}

/** The limits of a key are for the trail alone, and no webhook has them. */
async function recordMade(
  tx: Transaction,
  actor: Actor,
  { id, name, prefix, role, created_ms, expires_ms, projects, read_only }: Omit<NewKeyRecord, 'token'>,
): Promise<void> {
  const { teamId } = actor.principal
  const key = { id, name, prefix, role }
  const isLimited = expires_ms !== null || projects !== null || read_only
  await recordEvents(tx, { origin: originOf(actor), nowMs: created_ms }, [
    { teamId, type: 'key.created', data: { key } },
    ...(isLimited
      ? [{ teamId, type: 'key.limited' as const, data: { key, limits: { expires_ms, projects, read_only } } }]
      : []),
  ])
}

/**
 * Revokes a key; once this returns, this node refuses it.
 * @throws AppError `key_not_found`, also for a key that the caller may not see; as `holdCaller` does.
 */
export async function revokeKey(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const { principal } = actor
  await store.transact(async (tx) => {
    const role = await holdCaller(tx, principal)
    const [revoked] = await tx
      .delete(apiKeys)
      .where(and(eq(apiKeys.id, id), visibleKeys(principal, role)))
      .returning({
        tokenSha256: apiKeys.tokenSha256,
        name: apiKeys.name,
        prefix: apiKeys.prefix,
        role: apiKeys.role,
      })
    if (!revoked) throw new AppError('key_not_found', 'The team has no such API key.')
    const { tokenSha256, ...fields } = revoked
    tx.announce({ kind: 'key', id: tokenSha256 })
    await recordEvents(tx, { origin: originOf(actor), nowMs: nowMs() }, [
      { teamId: principal.teamId, type: 'key.revoked', data: { key: { id, ...fields } } },
    ])
  })
  return { id, deleted: true }
}
