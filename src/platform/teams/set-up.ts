/** The first user, team and key of an empty database, and more owner keys for the operator. */
import { asc, eq } from 'drizzle-orm'
import { newId } from '../../lib/ids.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import type { OwnerKey } from '../../stores/data-dir/admin-protocol.ts'
import { encryptionCheck } from '../../stores/data-dir/encryption-key.ts'
import type { Database } from '../../stores/db/database.ts'
import { installation } from '../../stores/db/schema/installation.ts'
import { members, teams, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { insertKey } from '../callers/keys.ts'
import { tokenPrefix } from '../callers/token.ts'
import { unnamedPerson, unnamedTeam } from '../people/team-name.ts'
import { insertTeamOf } from './insert.ts'

/**
 * Passes for a database that isn't set up yet, or was with this key.
 * @throws SettingsError when the database belongs to another encryption key.
 */
export async function checkEncryptionKey(db: Database, checkKey: Buffer): Promise<void> {
  const [known] = await db.select().from(installation)
  if (known && known.encryptionCheck !== encryptionCheck(checkKey)) {
    throw new SettingsError(
      'SVC_ENCRYPTION_KEY is not the key that this database was set up with: ' +
        'its secrets could not be decrypted.',
    )
  }
}

/**
 * Sets an empty database up and returns its first owner key; undefined if it was set up before, also by
 * another node at the same moment.
 */
export async function setUp(store: Store, checkKey: Buffer, nowMs: number): Promise<OwnerKey | undefined> {
  return store.transact(async (tx) => {
    const [made] = await tx
      .insert(installation)
      .values({ id: 1, encryptionCheck: encryptionCheck(checkKey), createdMs: nowMs })
      .onConflictDoNothing()
      .returning({ id: installation.id })
    return made && createFirstTeam(tx, nowMs)
  })
}

async function createFirstTeam(tx: Database, nowMs: number): Promise<OwnerKey> {
  const userId = newId('user', nowMs)
  const team = await insertTeam(
    tx,
    { slug: 'personal', name: unnamedTeam, personal: true, ownerId: userId },
    nowMs,
  )
  const { token } = await insertKey(tx, {
    teamId: team,
    userId,
    name: 'first key',
    role: 'owner',
    createdMs: nowMs,
  })
  return { token, team: 'personal' }
}

/** Inserts a new user with a team that it owns; returns the team's id. */
export async function insertTeam(
  tx: Database,
  team: { slug: string; name: string; personal: boolean; ownerId: string },
  nowMs: number,
): Promise<string> {
  await tx.insert(users).values({ id: team.ownerId, name: unnamedPerson, createdMs: nowMs })
  return insertTeamOf(tx, team, nowMs)
}

/**
 * A new owner key of the oldest team, acting as its oldest owner. For operators with access to the database.
 */
export async function createOperatorKey(store: Store, nowMs: number): Promise<OwnerKey> {
  return store.transact((tx) => insertOperatorKey(tx, nowMs))
}

async function insertOperatorKey(tx: Transaction, nowMs: number): Promise<OwnerKey> {
  const [owner] = await tx
    .select({ teamId: teams.id, team: teams.slug, userId: members.userId })
    .from(teams)
    .innerJoin(members, eq(members.teamId, teams.id))
    .where(eq(members.role, 'owner'))
    .orderBy(asc(teams.createdMs), asc(members.joinedMs))
    .limit(1)
  if (!owner) throw new Error('No team has an owner.')
  const { teamId, userId, team } = owner
  const made = { name: 'operator key', role: 'owner' } as const
  const { id, token } = await insertKey(tx, { teamId, userId, ...made, createdMs: nowMs })
  const key = { id, ...made, prefix: tokenPrefix(token) }
  await recordEvents(tx, { origin: null, nowMs }, [
    { teamId, type: 'key.created', data: { key, by: 'operator' } },
  ])
  return { token, team }
}
