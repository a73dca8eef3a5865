/** What somebody made acts with the right that its maker has by then: it ends when that person loses it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { insertKey } from '../../../src/platform/callers/keys.ts'
import { type Maker, makerEnd, makerEndReason } from '../../../src/platform/callers/maker-right.ts'
import { matchPolicies } from '../../../src/platform/trust/match-policies.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { trustPolicies } from '../../../src/stores/db/schema/trust-policies.ts'
import { newBrowser } from '../../support/browser.ts'
import { openEvents } from '../../support/event-stream.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { clientOf, newPerson, signIn } from '../../support/person.ts'
import { newVisitor } from '../../support/visitor.ts'
import { send } from '../hooks/steps.ts'
import { makeLink } from '../teams/invitation-links/joining.ts'
import { newEmail } from '../teams/people.ts'
import { newProtected } from '../visitors/protected-site.ts'

describe('the reason of an end', () => {
  const of = (makerRole: Maker['makerRole'], makerProjects: string[] | null = null) => ({
    makerRole,
    makerProjects,
  })

  it.each([
    ['of nobody in the team', of(null), 'member', 'maker_removed'],
    ['of nobody in the team, where it takes an owner', of(null), 'owner', 'maker_removed'],
    ['of a member, where it takes an owner', of('member'), 'owner', 'maker_demoted'],
    ['of a limited member, where it takes an owner', of('member', []), 'owner', 'maker_demoted'],
    ['of a member limited to other projects', of('member', ['prj_2']), 'member', 'maker_limited'],
    ['of a member limited to none', of('member', []), 'member', 'maker_limited'],
    ['of a member limited to this project', of('member', ['prj_2', 'prj_1']), 'member', undefined],
    ['of a member', of('member'), 'member', undefined],
    ['of an owner', of('owner'), 'owner', undefined],
  ] as const)('%s', (_, maker, role, reason) => {
    expect(makerEndReason(maker, { role, projectId: 'prj_1' })).toBe(reason)
    const record =
      reason === undefined ? null : { reason, message: expect.stringMatching(/^Whoever made it/) }
    expect(makerEnd(maker, { role, projectId: 'prj_1' })).toEqual(record)
  })

  it('of what is the whole team’s takes no project', () => {
    expect(makerEndReason(of('owner'), { role: 'owner', projectId: null })).toBeUndefined()
  })
})

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** A protected site, and an owner of its team beside the first one, with a key. */
async function newScene() {
  const site = await newProtected(node)
  const { team } = site
  const person = await signIn(node, await newPerson(node))
  const { user } = await clientOf(node, person).account.get.query({})
  const userId = user.id
  const { db } = node.installation.store
  await db.insert(members).values({ teamId: team.id, userId, role: 'owner', joinedMs: Date.now() })
  const key = { teamId: team.id, userId, name: 'maker', role: 'owner', createdMs: Date.now() } as const
  const { token } = await insertKey(db, key)
  const maker = { userId, token, client: createClient({ url: node.apiUrl, token, retry: false }) }
  const invited = newEmail()
  const put = async (standing: object | undefined) => {
    const members = [
      { email: null, role: 'owner' },
      { email: invited, role: 'member' },
      ...(standing === undefined ? [] : [{ email: person.email, ...standing }]),
    ]
    expect((await team.owner('PUT', `/v1/teams/${team.slug}`, { members })).status).toBe(200)
  }
  await put({ role: 'owner' })
  return { ...site, maker, invited, put }
}

type Scene = Awaited<ReturnType<typeof newScene>>

/** What somebody made: whether it acts, and what owners see of it, where they do. */
type Made = { acts: () => Promise<boolean>; seen: () => Promise<{ ended: unknown }[]> }

const make: Record<string, (scene: Scene) => Promise<Made>> = {
  'a share link': async ({ maker, client, url: siteUrl }) => {
    const { url } = await maker.client.links.create.mutate({ project: 'web' })
    const visitor = newVisitor()
    await visitor.open(url)
    return {
      async acts() {
        const [anew, goesOn] = [await newVisitor().open(url), await visitor.open(siteUrl)]
        // Whoever came before comes back with the link, after a change of any member.
        if (anew.status === 303) await visitor.open(url)
        else expect(goesOn.status).toBe(401)
        return anew.status === 303 && (await visitor.open(siteUrl)).status === 200
      },
      seen: async () => (await client.links.list.query({ project: 'web' })).data,
    }
  },
  'a deploy hook': async ({ maker, client }) => {
    const { url } = await maker.client.hooks.create.mutate({ project: 'web', name: 'cms' })
    return {
      acts: async () => (await send(url)).status !== 404,
      seen: async () => (await client.hooks.list.query({ project: 'web' })).data,
    }
  },
  'a trust policy': async ({ team, maker, client }) => {
    const { db } = node.installation.store
    const { id: projectId } = await client.projects.get.query({ project: 'web' })
    const issuer = `https://${unique('issuer')}.example.com`
    await db.insert(trustPolicies).values({
      id: newId('trustPolicy', Date.now()),
      teamId: team.id,
      projectId,
      issuer,
      claims: {},
      targets: ['preview'],
      createdBy: maker.userId,
      createdMs: Date.now(),
    })
    const identity = { issuer, issuedMs: Date.now(), claims: {} }
    const find = () => matchPolicies(db, identity, { team: team.slug, project: 'web' }, Date.now())
    return {
      acts: () => find().then(Boolean, ({ reason }) => reason !== 'not_trusted'),
      seen: async () => (await client.trust.list.query({ project: 'web' })).data,
    }
  },
  'the link of an invitation': async ({ team, maker, client, invited }) => {
    const { token } = await makeLink(node, team, invited, maker.token)
    return {
      acts: async () => (await newBrowser().visit(`${node.apiUrl}/auth/join?token=${token}`)).status === 200,
      seen: async () => (await client.invitationLinks.list.query({ team: team.slug })).data,
    }
  },
}

const standings = {
  removed: undefined,
  demoted: { role: 'member', projects: null },
  limited: { role: 'member', projects: [] },
}

const ended = (reason: string) => [{ ended: { reason, message: expect.any(String) } }]

describe.each(Object.entries(make))('%s', (name, making) => {
  const isLink = name === 'a share link'

  it.each([
    // What only owners make goes with the membership, for good.
    ['removed', false, isLink ? ended('maker_removed') : []],
    ['demoted', isLink, isLink ? [{ ended: null }] : ended('maker_demoted')],
    ['limited', false, ended(isLink ? 'maker_limited' : 'maker_demoted')],
  ] as const)('of somebody who was %s', async (change, acts, seen) => {
    const scene = await newScene()
    const made = await making(scene)
    expect(await made.acts()).toBe(true)
    expect(await made.seen()).toMatchObject([{ ended: null }])
    await scene.put(standings[change])
    expect(await made.acts()).toBe(acts)
    expect((await made.seen()).map(({ ended }) => ({ ended }))).toEqual(seen)
  })
})

const soon = { timeout: 5_000, interval: 20 }

describe('a build', () => {
  const body = {
    project: 'web',
    files: [{ path: 'index.html', content: '' }],
    build: { build_command: 'sleep 100' },
  }

  it.each(['removed', 'limited'] as const)(
    'of somebody who was %s ends, whether it waits or runs',
    async (change) => {
      const { maker, put, team } = await newScene()
      const { id } = await maker.client.deployments.create.mutate(body)
      const stream = await openEvents(node, { authorization: `Bearer ${team.ownerKey}` })
      await expect.poll(stream.types, soon).toContain('connected')
      await put(standings[change])
      const read = async () => (await team.owner('GET', `/v1/deployments/${id}`)).body
      await expect.poll(read, soon).toMatchObject({ state: 'canceled', error: { reason: `maker_${change}` } })
      await expect.poll(stream.types, soon).toContain('deployment.canceled')
    },
  )
})

describe('a stream of events', () => {
  it('of somebody who was removed ends, also by a key', async () => {
    const { maker, put } = await newScene()
    const stream = await openEvents(node, { authorization: `Bearer ${maker.token}` })
    await expect.poll(stream.types, soon).toContain('connected')
    await put(standings.removed)
    await expect.poll(stream.hasEnded, soon).toBe(true)
    expect(stream.error()).toMatchObject({ data: { reason: 'unauthorized' } })
  })

  it('of somebody who was limited has nothing of other projects any more', async () => {
    const { maker, put, team } = await newScene()
    const stream = await openEvents(node, { authorization: `Bearer ${maker.token}` })
    await expect.poll(stream.types, soon).toContain('connected')
    await put({ role: 'member', projects: ['web'] })
    await expect.poll(stream.types, soon).toContain('missed')
    const { body } = await team.owner('PUT', `/v1/projects/${unique('hidden')}`)
    await team.owner('PUT', '/v1/projects/web', { spa: true })
    await expect.poll(stream.types, soon).toContain('project.updated')
    expect(JSON.stringify(stream.received)).not.toContain(body.id)
  })
})

describe('a call that waits for lines of the log', () => {
  it('of somebody who was removed gets none', async () => {
    const { maker, put } = await newScene()
    const waiting = maker.client.observability.logs.query({ kind: 'request', order: 'asc', wait_s: 2 })
    const refused = expect(waiting).rejects.toMatchObject({ data: { reason: 'unauthorized' } })
    await put(standings.removed)
    await refused
  })
})
