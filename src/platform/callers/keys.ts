/** API keys: create, list, revoke. */
import { and, desc, eq, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterCursor, type Page, pageOf } from '../../stores/db/page.ts'
import { apiKeys } from '../../stores/db/schema/keys.ts'
import { teams, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import type { Remember } from '../idempotency/once.ts'
import { type Actor, originOf } from './actor.ts'
import type { CreateKey } from './credential-input.ts'
import type { KeyDetails, KeyRecord } from './credential-output.ts'
import { holdCaller } from './hold-caller.ts'
import type { Principal, Role } from './principal.ts'
import { requireOwner } from './roles.ts'
import { hashToken, newToken, tokenPrefix } from './token.ts'

type PageOfKeys = { limit: number; cursor?: string | undefined }

type NewKey = { teamId: string; userId: string; name: string; role: Role; createdMs: number }

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
  })
  return { id, token }
}

/**
 * Creates a key of the caller's team that acts as the caller's user. The response is stored without the
 * token.
 * @throws AppError `role_required` when a member requests an `owner` key; as `holdCaller` does.
 */
export async function createKey(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  input: CreateKey,
  remember?: Remember,
): Promise<KeyRecord & { token: string }> {
  const { principal } = actor
  const { teamId, userId } = principal
  const createdMs = nowMs()
  return store.transact(async (tx) => {
    const role = await holdCaller(tx, principal)
    if (input.role === 'owner') requireOwner({ role }, 'create an owner key; use "role": "member"')
    const { id, token } = await insertKey(tx, { teamId, userId, ...input, createdMs })
    const key: KeyRecord = {
      id,
      name: input.name,
      prefix: tokenPrefix(token),
      team: principal.teamSlug,
      role: input.role,
      created_ms: createdMs,
      last_used_ms: 0,
    }
    const fields = { id, name: key.name, prefix: key.prefix, role: key.role }
    await recordEvents(tx, { origin: originOf(actor), nowMs: createdMs }, [
      { teamId, type: 'key.created', data: { key: fields } },
    ])
    await remember?.(tx, key)
    return { ...key, token }
  })
}

/** The team's keys, newest first: owners see all of them, members their own `member` keys. */
export async function listKeys(
  store: Store,
  principal: Principal,
  page: PageOfKeys,
): Promise<Page<KeyRecord>> {
  const { data, next_cursor } = await readKeys(store, principal, page)
  return { data: data.map(({ created_by, created_by_name, ...key }) => key), next_cursor }
}

/** Who made the keys of the page that `listKeys` has for this limit and cursor. */
export async function listKeyDetails(
  store: Store,
  principal: Principal,
  page: PageOfKeys,
): Promise<Page<KeyDetails>> {
  const { data, next_cursor } = await readKeys(store, principal, page)
  return {
    data: data.map(({ id, created_by, created_by_name }) => ({ id, created_by, created_by_name })),
    next_cursor,
  }
}

async function readKeys(
  store: Store,
  principal: Principal,
  { limit, cursor }: PageOfKeys,
): Promise<Page<KeyRecord & KeyDetails>> {
  const rows = await store.db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      team: teams.slug,
      role: apiKeys.role,
      created_by: apiKeys.userId,
      created_by_name: sql<string>`(
        select ${users.name} from ${users} where ${users.id} = ${apiKeys.userId})`,
      created_ms: apiKeys.createdMs,
      last_used_ms: apiKeys.lastUsedMs,
    })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(and(visibleTo(principal), afterCursor('key', cursor, apiKeys.createdMs, apiKeys.id)))
    .orderBy(desc(apiKeys.createdMs), desc(apiKeys.id))
    .limit(limit + 1)
  return pageOf(rows, limit, (row) => [row.created_ms, row.id])
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
      .where(and(eq(apiKeys.id, id), visibleTo({ ...principal, role })))
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

function visibleTo(principal: Pick<Principal, 'teamId' | 'userId' | 'role'>) {
  const ofTeam = eq(apiKeys.teamId, principal.teamId)
  if (principal.role === 'owner') return ofTeam
  return and(ofTeam, eq(apiKeys.userId, principal.userId), eq(apiKeys.role, sql`'member'`))
}
