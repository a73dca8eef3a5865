/** Deploy hooks as people manage them: made, listed and revoked by owners, ended with what they depend on. */
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { deployHooks } from '../../../src/stores/db/schema/deploy-hooks.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { addLimited } from '../../support/limits.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { clientOf, newHook, newHooked, send } from './steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const refused = (reason: string) => expect.objectContaining({ data: expect.objectContaining({ reason }) })

const gone = { status: 404, body: { reason: 'unknown_path' } }

describe('a hook', () => {
  it('is made with an address that only this response has', async () => {
    const site = await newHooked(node)
    const { secret, url, ...hook } = await newHook(site, { name: 'Articles', branch: 'next' })
    expect(url).toBe(`${node.apiUrl}/hooks/deploy/${secret}`)
    expect(secret).toMatch(/^svch_[0-9A-Za-z]{38}$/)
    expect(hook).toEqual({
      id: expect.stringMatching(/^dhk_[0-9a-f]{32}$/),
      name: 'Articles',
      branch: 'next',
      created_by: site.team.ownerId,
      created_by_name: expect.any(String),
      created_ms: expect.any(Number),
      last_used_ms: 0,
      ended: null,
    })
    expect(await site.client.hooks.list.query({ project: 'web' })).toEqual({ data: [hook] })
    const rows = await node.installation.store.db.select().from(deployHooks)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('is for owners alone: members, limited or not, neither make, list nor revoke one', async () => {
    const site = await newHooked(node)
    const { id, url } = await newHook(site)
    const { key } = await addMember(node, site.team)
    const limited = await addLimited(node, site.team, [site.project.id])
    for (const { hooks } of [clientOf(node, key), clientOf(node, limited.key)]) {
      const calls = [
        () => hooks.create.mutate({ project: 'web', name: 'mine' }),
        () => hooks.list.query({ project: 'web' }),
        () => hooks.revoke.mutate({ project: 'web', id }),
      ]
      for (const call of calls) await expect(call()).rejects.toEqual(refused('role_required'))
    }
    expect((await send(url)).status).toBe(409)
  })

  it('ends at once when it is revoked', async () => {
    const site = await newHooked(node)
    const { id, url } = await newHook(site)
    await deploy(site.team, { target: 'production' })
    const { hooks } = site.client
    expect(await hooks.revoke.mutate({ project: 'web', id })).toEqual({ id, deleted: true })
    expect(await send(url)).toMatchObject(gone)
    await expect(hooks.revoke.mutate({ project: 'web', id })).rejects.toEqual(
      refused('deploy_hook_not_found'),
    )
  })

  it('of another project or team is 404', async () => {
    const [site, other] = [await newHooked(node), await newHooked(node)]
    const { id, url } = await newHook(other)
    await expect(site.client.hooks.revoke.mutate({ project: 'web', id })).rejects.toEqual(
      refused('deploy_hook_not_found'),
    )
    await expect(site.client.hooks.list.query({ project: other.project.id })).rejects.toEqual(
      refused('project_not_found'),
    )
    expect((await send(url)).status).toBe(409)
  })

  it('is one of twenty a project at most', async () => {
    const site = await newHooked(node)
    const made = await Promise.all(Array.from({ length: 20 }, () => newHook(site)))
    await expect(newHook(site)).rejects.toEqual(refused('too_many_deploy_hooks'))
    await site.client.hooks.revoke.mutate({ project: 'web', id: made[0]?.id ?? '' })
    await newHook(site)
  })

  it('ends with its project', async () => {
    const site = await newHooked(node)
    const { url } = await newHook(site)
    expect((await site.team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
    expect(await send(url)).toMatchObject(gone)
  })
})

describe('the hook of an owner', () => {
  async function newOwned() {
    const site = await newHooked(node)
    await deploy(site.team, { target: 'production' })
    const maker = await addMember(node, site.team, 'owner')
    const hook = await newHook({ client: clientOf(node, maker.key) })
    const { db } = node.installation.store
    const isMaker = and(eq(members.teamId, site.team.id), eq(members.userId, maker.userId))
    return { ...site, maker, hook, db, isMaker }
  }

  it('who was removed ends for good', async () => {
    const { team, maker, hook, db, isMaker, client } = await newOwned()
    await db.delete(members).where(isMaker)
    expect(await send(hook.url)).toMatchObject(gone)
    await db
      .insert(members)
      .values({ teamId: team.id, userId: maker.userId, role: 'owner', joinedMs: Date.now() })
    expect(await send(hook.url)).toMatchObject(gone)
    expect((await client.hooks.list.query({ project: 'web' })).data).toEqual([])
  })

  it('who became a member ends, and acts again once the maker is an owner again', async () => {
    const { hook, db, isMaker, client } = await newOwned()
    await db.update(members).set({ role: 'member' }).where(isMaker)
    expect(await send(hook.url)).toMatchObject(gone)
    const { data } = await client.hooks.list.query({ project: 'web' })
    expect(data).toMatchObject([{ id: hook.id, ended: { reason: 'maker_demoted' } }])
    await db.update(members).set({ role: 'owner' }).where(isMaker)
    expect((await send(hook.url)).status).toBe(201)
  })
})

it('the audit log says who made and revoked one, and which one deployed, without the secret', async () => {
  const site = await newHooked(node)
  const { id, url, secret } = await newHook(site, { name: 'Articles' })
  await deploy(site.team, { target: 'production' })
  const { body } = await send(url)
  await site.client.hooks.revoke.mutate({ project: 'web', id })
  const { data } = await site.client.observability.logs.query({ kind: 'audit', limit: 100 })
  const messages = data.map(({ message }) => message)
  expect(messages).toContain('made deploy hook Articles of web')
  expect(messages).toContain('revoked deploy hook Articles of web')
  expect(messages).toContain(`created ${body.deployment} for production of web by the deploy hook Articles`)
  expect(JSON.stringify(data)).not.toContain(secret)
})
