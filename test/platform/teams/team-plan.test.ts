import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { setPlan } from '../../../src/platform/teams/team-plan.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

it('a plan applies to the next request, by slug and by id', async () => {
  const team = await newTeam(node)
  const plan = async () => (await team.owner('GET', '/v1/overview')).body.plan
  expect(await plan()).toBe('free')
  expect(await setPlan({ store, nowMs: Date.now }, { team: team.slug, plan: 'pro' })).toEqual({
    team: team.slug,
    plan: 'pro',
  })
  expect(await plan()).toBe('pro')
  await setPlan({ store, nowMs: Date.now }, { team: team.id, plan: 'enterprise' })
  expect(await plan()).toBe('enterprise')
  expect((await team.owner('GET', `/v1/teams/${team.slug}`)).body.plan).toBe('enterprise')
})

it('an unknown or deleted team has none', async () => {
  const team = await newTeam(node)
  await team.owner('DELETE', `/v1/teams/${team.id}`)
  for (const reference of [unique('nobodys'), newId('team', Date.now()), team.id, team.slug]) {
    const setting = setPlan({ store, nowMs: Date.now }, { team: reference, plan: 'pro' })
    await expect(setting).rejects.toMatchObject({ reason: 'team_not_found' })
  }
})
