import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectBlobs, collectManifests } from '../../../src/platform/deployments/garbage/unreferenced.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { manifests } from '../../../src/stores/db/schema/manifests.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'
import { byDigest, deploy, upload } from '../deployments/steps.ts'
import { newEmail } from './people.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

describe('a deleted team', () => {
  it('is gone, and its keys are refused with the next request', async () => {
    const team = await newTeam(node)
    const member = await addMember(node, team)
    expect((await member.api('GET', '/v1/projects')).status).toBe(200)
    expect(await team.owner('DELETE', `/v1/teams/${team.slug}`)).toMatchObject({
      status: 200,
      body: { id: team.id, deleted: true },
    })
    for (const api of [team.owner, member.api]) expect((await api('GET', '/v1/projects')).status).toBe(401)
    const { db } = node.installation.store
    expect(await db.select().from(apiKeys).where(eq(apiKeys.teamId, team.id))).toEqual([])
  })

  it('releases its slug, but not its host names', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const { body: project } = await team.owner('PUT', `/v1/projects/${team.slug}`)
    await team.owner('DELETE', `/v1/projects/${team.slug}`)
    expect((await team.owner('DELETE', `/v1/teams/${team.slug}`)).status).toBe(200)
    const { status, body } = await other.owner('PUT', `/v1/teams/${team.slug}`)
    expect(status).toBe(200)
    expect(body.id).not.toBe(team.id)
    const { body: same } = await other.owner('PUT', `/v1/projects/${team.slug}`)
    expect(same.production_url).not.toBe(project.production_url)
  })

  it('deletes its invitations', async () => {
    const team = await newTeam(node)
    const members = [
      { email: null, role: 'owner' },
      { email: newEmail(), role: 'member' },
    ]
    await team.owner('PUT', `/v1/teams/${team.slug}`, { members })
    expect((await team.owner('DELETE', `/v1/teams/${team.id}`)).status).toBe(200)
  })

  it('releases its domains; names that it verified go to the teams that then own them', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const [top, alone] = [`${unique('freed')}.com`, `${unique('freed')}.net`]
    const domain = async (name: string) => (await other.owner('GET', `/v1/domains/${name}`)).body
    await claim(node, other, top, { proven: true })
    await claim(node, other, `a.shop.${top}`)
    await claim(node, team, `shop.${top}`, { proven: true })
    await claim(node, team, alone, { proven: true })
    await team.owner('PUT', `/v1/domains/www.${alone}`)
    expect((await domain(`a.shop.${top}`)).verified).toBe(false)
    expect((await other.owner('PUT', `/v1/domains/www.${alone}`)).status).toBe(409)

    expect((await team.owner('DELETE', `/v1/teams/${team.slug}`)).status).toBe(200)
    expect((await domain(`a.shop.${top}`)).verified).toBe(true)
    expect((await other.owner('PUT', `/v1/domains/shop.${top}`)).body.verified).toBe(true)
    for (const name of [alone, `www.${alone}`]) {
      const { status, body } = await other.owner('PUT', `/v1/domains/${name}`)
      expect({ status, verified: body.verified }).toEqual({ status: 200, verified: false })
    }
    const { db } = node.installation.store
    expect(await db.select().from(domains).where(eq(domains.teamId, team.id))).toEqual([])
  })

  it('has no domain from a concurrent claim', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newTeam(node)
      const name = `${unique('late')}.com`
      await team.owner('PUT', `/v1/domains/${name}`)
      const [made, gone, changed] = await Promise.all([
        team.owner('PUT', `/v1/domains/www.${name}`),
        team.owner('DELETE', `/v1/teams/${team.slug}`),
        team.owner('PUT', `/v1/domains/${name}`, { redirect: { to: 'example.com' } }),
      ])
      expect(gone.status).toBe(200)
      for (const { status } of [made, changed]) expect([200, 401, 404]).toContain(status)
      const { db } = node.installation.store
      expect(await db.select().from(domains).where(eq(domains.teamId, team.id))).toEqual([])
    }
  })

  it('409 team_has_projects with their names, and everything stays', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const { status, body } = await team.owner('DELETE', `/v1/teams/${team.slug}`)
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'team_has_projects' })
    expect(body.message).toContain('web')
    expect((await team.owner('GET', `/v1/teams/${team.slug}`)).body.members).toHaveLength(1)
  })

  it('409 personal_team', async () => {
    const team = await newTeam(node, { personal: true })
    const { status, body } = await team.owner('DELETE', `/v1/teams/${team.slug}`)
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'personal_team' })
    expect((await team.owner('GET', '/v1/projects')).status).toBe(200)
  })

  it('is not recreated by a concurrent call', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newTeam(node)
      const [put, gone] = await Promise.all([
        team.owner('PUT', `/v1/teams/${team.slug}`, { name: 'x' }),
        team.owner('DELETE', `/v1/teams/${team.slug}`),
      ])
      expect(gone.status).toBe(200)
      expect([200, 401, 404]).toContain(put.status)
      expect(put.body).not.toHaveProperty('api_key')
    }
  })

  it('has no project from a concurrent call', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newTeam(node)
      const [made, gone] = await Promise.all([
        team.owner('PUT', '/v1/projects/web'),
        team.owner('DELETE', `/v1/teams/${team.slug}`),
      ])
      expect([
        [200, 409],
        [404, 200],
        [401, 200],
      ]).toContainEqual([made.status, gone.status])
      const { db } = node.installation.store
      const left = await db.select().from(projects).where(eq(projects.teamId, team.id))
      expect(left).toHaveLength(gone.status === 200 ? 0 : 1)
    }
  })
})

it('its uploads are collected, and no more are accepted', async () => {
  const own = await startOwnNode()
  try {
    const team = await newTeam(own)
    await deploy(team)
    const waiting = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [byDigest('late.html', 'late')],
    })
    await team.owner('DELETE', '/v1/projects/web')
    expect((await team.owner('DELETE', `/v1/teams/${team.slug}`)).status).toBe(200)
    expect((await upload(waiting.body.missing[0].upload_url, 'late')).status).toBe(401)

    const { db } = own.installation.store
    const left = () => db.select().from(blobs).where(eq(blobs.teamId, team.id))
    expect(await left()).toHaveLength(1)
    const deps = { db, blobs: own.installation.blobs, nowMs: Date.now() + 2 * 60 * 60_000 }
    while (await collectManifests(deps));
    while (await collectBlobs({ ...deps, nowMs: deps.nowMs + 1 }));
    expect(await left()).toEqual([])
    expect(await db.select().from(manifests).where(eq(manifests.teamId, team.id))).toEqual([])
  } finally {
    await own.stop()
  }
})
