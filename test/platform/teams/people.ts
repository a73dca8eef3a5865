/** Users with addresses, as created by signing in, and helpers for their teams. */
import { and, eq } from 'drizzle-orm'
import { newId } from '../../../src/lib/ids.ts'
import { insertKey } from '../../../src/platform/callers/keys.ts'
import type { Role } from '../../../src/platform/callers/principal.ts'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import type { TestTeam } from '../../support/team.ts'

/** An address that no other test has. */
export function newEmail(): string {
  return `${unique('ada')}@example.com`
}

/** A new user, whose address is verified unless `emailVerified` is false. */
export async function newUser(node: TestNode, email: string, emailVerified = true): Promise<string> {
  const id = newId('user', Date.now())
  const { db } = node.installation.store
  await db.insert(users).values({ id, email, emailVerified, name: 'Ada', createdMs: Date.now() })
  return id
}

/** A new user who is in the team already. */
export async function newMember(
  node: TestNode,
  team: { id: string },
  email: string,
  role: Role = 'member',
): Promise<string> {
  const userId = await newUser(node, email)
  await node.installation.store.db
    .insert(members)
    .values({ teamId: team.id, userId, role, joinedMs: Date.now() })
  return userId
}

/** A new, signed-in user with a personal team. */
export async function newSignedIn(
  node: TestNode,
  email: string,
  emailVerified = true,
): Promise<{ userId: string; personal: { id: string; slug: string }; api: Api }> {
  const userId = await newUser(node, email, emailVerified)
  const personal = await joinNewTeam(node, userId, { personal: true })
  const { api } = await newSession(node, userId)
  return { userId, personal, api }
}

/** A client with a key of the team for a user who is a member there. */
export async function clientOf(
  node: TestNode,
  team: { id: string },
  userId: string,
  role: Role = 'owner',
): Promise<Api> {
  const key = { teamId: team.id, userId, name: 'theirs', role, createdMs: Date.now() }
  return apiOf(node, (await insertKey(node.installation.store.db, key)).token)
}

/** Gives the team's owner an address, so that lists can include it. */
export async function nameOwner(node: TestNode, team: TestTeam): Promise<string> {
  const email = newEmail()
  const { db } = node.installation.store
  await db.update(users).set({ email, emailVerified: true }).where(eq(users.id, team.ownerId))
  return email
}

/** The user's role in the team, if any. */
export async function roleIn(
  node: TestNode,
  team: { id: string },
  userId: string,
): Promise<Role | undefined> {
  const [row] = await node.installation.store.db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.teamId, team.id), eq(members.userId, userId)))
  return row?.role
}
