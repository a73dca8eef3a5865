/** The view of a credential that isn't bound to one team. */
import { beforeAll, expect, it } from 'vitest'
import { deleteTeam } from '../../../src/platform/teams/delete-team.ts'
import { putTeam } from '../../../src/platform/teams/put-team.ts'
import { getTeam, listTeams } from '../../../src/platform/teams/read-team.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { newTeam } from '../../support/team.ts'
import { newEmail, newMember, newUser } from './people.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

const deps = () => ({ store, nowMs: Date.now })

const callerOf = async (userId: string) => ({
  userId,
  hasFactor: true,
  credential: { keyId: null, sessionId: (await newSession(node, userId)).id },
  origin: { userId, keyId: null, address: '192.0.2.1', requestId: 'req_1' },
})

it('lists all teams of the user by slug, in pages, with the role in each', async () => {
  const team = await newTeam(node)
  const caller = await callerOf(await newMember(node, team, newEmail()))
  const prefix = unique('own')
  for (const each of ['b', 'a', 'c']) await putTeam(deps(), caller, `${prefix}-${each}`, {})
  const first = await listTeams(store, caller, { limit: 3 })
  const second = await listTeams(store, caller, { limit: 3, cursor: first.next_cursor ?? '' })
  expect(second.next_cursor).toBeNull()
  expect([...first.data, ...second.data].map(({ slug, role }) => [slug, role])).toEqual([
    [`${prefix}-a`, 'owner'],
    [`${prefix}-b`, 'owner'],
    [`${prefix}-c`, 'owner'],
    [team.slug, 'member'],
  ])
})

it('may do in each team what the user’s role there allows', async () => {
  const team = await newTeam(node)
  const caller = await callerOf(await newMember(node, team, newEmail()))
  expect((await getTeam(store, caller, team.slug)).role).toBe('member')
  const roleRequired = { reason: 'role_required' }
  await expect(putTeam(deps(), caller, team.slug, { name: 'x' })).rejects.toMatchObject(roleRequired)
  await expect(deleteTeam(deps(), caller, team.slug)).rejects.toMatchObject(roleRequired)

  const slug = unique('own')
  const made = await putTeam(deps(), caller, slug, {})
  expect(made.api_key).toMatch(/^svc_/)
  const again = await putTeam(deps(), caller, slug, { name: 'Own' })
  expect(again).toMatchObject({ id: made.id, name: 'Own' })
  expect(await deleteTeam(deps(), caller, slug)).toEqual({ id: made.id, deleted: true })
  await expect(getTeam(store, caller, made.id)).rejects.toMatchObject({ reason: 'team_not_found' })
})

it('creates one team in many concurrent calls, all but the first of which update it', async () => {
  const caller = await callerOf(await newUser(node, newEmail()))
  const slug = unique('own')
  const made = await Promise.all(Array.from({ length: 4 }, () => putTeam(deps(), caller, slug, {})))
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  expect(made.filter(({ api_key }) => api_key)).toHaveLength(1)
})
