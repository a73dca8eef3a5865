/** Teams for tests: each test has its own, so that tests don't see each other. */

import { newId } from '../../src/lib/ids.ts'
import { insertKey } from '../../src/platform/callers/keys.ts'
import type { Role } from '../../src/platform/callers/principal.ts'
import { insertTeam } from '../../src/platform/teams/set-up.ts'
import { members, users } from '../../src/stores/db/schema/teams.ts'
import { type Api, apiOf } from './api.ts'
import { type TestNode, unique } from './node.ts'

export type TestTeam = { id: string; slug: string; ownerId: string; ownerKey: string; owner: Api }

/** A new team with one owner and an owner key. */
export async function newTeam(node: TestNode, { personal = false } = {}): Promise<TestTeam> {
  const { db } = node.installation.store
  const nowMs = Date.now()
  const ownerId = newId('user', nowMs)
  const slug = unique('team')
  const id = await insertTeam(db, { slug, name: slug, personal, ownerId }, nowMs)
  const { token } = await insertKey(db, {
    teamId: id,
    userId: ownerId,
    name: 'owner',
    role: 'owner',
    createdMs: nowMs,
  })
  return { id, slug, ownerId, ownerKey: token, owner: apiOf(node, token) }
}

/** Adds another user to the team, with a key of this role. */
export async function addMember(
  node: TestNode,
  team: TestTeam,
  role: Role = 'member',
): Promise<{ userId: string; key: string; api: Api }> {
  const { db } = node.installation.store
  const nowMs = Date.now()
  const userId = newId('user', nowMs)
  await db.insert(users).values({ id: userId, name: 'member', createdMs: nowMs })
  await db.insert(members).values({ teamId: team.id, userId, role, joinedMs: nowMs })
  const { token } = await insertKey(db, { teamId: team.id, userId, name: 'member', role, createdMs: nowMs })
  return { userId, key: token, api: apiOf(node, token) }
}
