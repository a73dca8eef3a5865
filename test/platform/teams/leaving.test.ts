/** What ends with a member is listed for owners before they remove anybody. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { insertKey } from '../../../src/platform/callers/keys.ts'
import { projectRepositories } from '../../../src/stores/db/schema/project-repositories.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { trustPolicies } from '../../../src/stores/db/schema/trust-policies.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { makeLink } from './invitation-links/joining.ts'
import { newEmail, newUser } from './people.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const clientWith = (token: string) => createClient({ url: node.apiUrl, token, retry: false })

/** A team with an owner who has an address, and a key beside it. */
async function newScene() {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const email = newEmail()
  const userId = await newUser(node, email)
  const { db } = node.installation.store
  await db.insert(members).values({ teamId: team.id, userId, role: 'owner', joinedMs: Date.now() })
  const key = { teamId: team.id, userId, name: 'laptop', role: 'owner', createdMs: Date.now() } as const
  const { token } = await insertKey(db, key)
  const leaving = (of: string | null = email, by = team.ownerKey) =>
    clientWith(by).teams.leaving.query({ team: team.slug, email: of })
  return { team, email, userId, token, client: clientWith(token), db, leaving }
}

const none = { count: 0, names: [] }

const nothing = {
  keys: none,
  share_links: none,
  deploy_hooks: none,
  trust_policies: none,
  invitation_links: none,
  repositories: none,
  builds: none,
}

describe('what ends with a member', () => {
  it('is every kind of thing that acts in their name, and nothing of others', async () => {
    const { team, email, userId, token, client, db, leaving } = await newScene()
    const invited = newEmail()
    const list = [
      { email: null, role: 'owner' },
      { email, role: 'owner' },
      { email: invited, role: 'member' },
    ]
    await team.owner('PUT', `/v1/teams/${team.slug}`, { members: list })
    expect(await leaving()).toEqual({ ...nothing, keys: { count: 1, names: ['laptop'] } })
    for (const each of [client, clientWith(team.ownerKey)]) {
      await each.links.create.mutate({ project: 'web' })
      await each.hooks.create.mutate({ project: 'web', name: 'cms' })
    }
    await makeLink(node, team, invited, token)
    const project = await client.projects.get.query({ project: 'web' })
    await db.insert(trustPolicies).values({
      id: newId('trustPolicy', Date.now()),
      teamId: team.id,
      projectId: project.id,
      issuer: 'https://ci.example.com',
      claims: {},
      targets: ['preview'],
      createdBy: userId,
      createdMs: Date.now(),
    })
    await db.insert(projectRepositories).values({
      projectId: project.id,
      provider: 'github',
      url: 'https://github.com/acme/web',
      skipUnchanged: false,
      connectedBy: userId,
      updatedMs: Date.now(),
    })
    const { id } = await deploy(team)
    await db.update(deployments).set({ state: 'queued', createdBy: userId })
    const pushed = await deploy(team)
    const ofPush = { state: 'building', createdBy: userId, sourceKind: 'forge' } as const
    await db.update(deployments).set(ofPush).where(eq(deployments.id, pushed.id))
    const label = new URL(project.production_url).hostname.split('.')[0]
    const one = (name: string) => ({ count: 1, names: [name] })
    expect(await leaving()).toEqual({
      keys: one('laptop'),
      share_links: one(`web: ${label}`),
      deploy_hooks: one('web: cms'),
      trust_policies: one('web: https://ci.example.com'),
      invitation_links: one(invited),
      repositories: one('web'),
      builds: one(`web: ${id}`),
    })
    node.clock.aheadMs = 8 * 86_400_000
    expect(await leaving()).toMatchObject({ share_links: none, invitation_links: none })
    node.clock.aheadMs = 0
  })

  it('is counted in full, and named up to twenty', async () => {
    const { team, userId, db, leaving } = await newScene()
    for (let more = 0; more < 25; more += 1) {
      const key = { teamId: team.id, userId, name: `k${more}`, role: 'member', createdMs: more } as const
      await insertKey(db, key)
    }
    const { keys } = await leaving()
    expect({ count: keys.count, named: keys.names.length }).toEqual({ count: 26, named: 20 })
  })

  it('is for owners, of members of the team', async () => {
    const { team, leaving } = await newScene()
    const { key } = await addMember(node, team)
    await expect(leaving(null, key)).rejects.toMatchObject({ data: { reason: 'role_required' } })
    await expect(leaving(newEmail())).rejects.toMatchObject({
      data: { reason: 'invalid_input', issues: [{ path: 'email' }] },
    })
    const other = await newTeam(node)
    await expect(leaving(null, other.ownerKey)).rejects.toMatchObject({ data: { reason: 'team_not_found' } })
    expect(await leaving(null)).toMatchObject({ keys: { count: 2 } })
  })
})
