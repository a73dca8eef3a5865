/** Which team owns a name, as the teams that claim it see it. */

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { records } from '../../../src/stores/db/schema/records.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

// Without a worker, which would check claims at any moment.
let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

const put = (team: TestTeam, name: string, changes = {}) => team.owner('PUT', `/v1/domains/${name}`, changes)
const get = async (team: TestTeam, name: string) => (await team.owner('GET', `/v1/domains/${name}`)).body
const remove = (team: TestTeam, name: string) => team.owner('DELETE', `/v1/domains/${name}`)

const newName = (label: string) => `${unique(label)}.com`

describe('a name that no team has verified', () => {
  it('may be claimed by two teams; each has to prove it with a value of its own', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const name = newName('pending')
    const answers = [await put(one, name), await put(two, name)]
    expect(answers.map(({ status, body }) => ({ status, verified: body.verified }))).toEqual([
      { status: 200, verified: false },
      { status: 200, verified: false },
    ])
    const [first, second] = answers.map(({ body }) => body)
    expect(first.id).not.toBe(second.id)
    expect(first.verification[0].value).not.toBe(second.verification[0].value)
    await remove(one, name)
    expect(await get(two, name)).toEqual(second)
  })
})

describe('a name that another team has verified', () => {
  it('409 name_in_use, and nothing is created', async () => {
    const [owner, other] = [await newTeam(node), await newTeam(node)]
    const name = newName('taken')
    await claim(node, owner, name, { proven: true })
    const { status, body } = await put(other, name.toUpperCase())
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'name_in_use' })
    expect(body.message).toContain(name)
    expect((await other.owner('GET', '/v1/domains')).body.data).toEqual([])
  })

  it('can be configured and deleted by a team that claimed it before, but is not verified', async () => {
    const [owner, other] = [await newTeam(node), await newTeam(node)]
    const name = newName('lost')
    await put(other, name)
    await claim(node, owner, name, { proven: true })
    const { status, body } = await put(other, name, { redirect: { to: 'example.com' } })
    expect({ status, verified: body.verified }).toEqual({ status: 200, verified: false })
    expect((await get(owner, name)).verified).toBe(true)
    expect((await remove(other, name)).status).toBe(200)
    expect((await get(owner, name)).verified).toBe(true)
  })

  it('allows names below it to be claimed and verified', async () => {
    const [owner, other] = [await newTeam(node), await newTeam(node)]
    const top = newName('below')
    await claim(node, owner, top, { proven: true })
    const { status, body } = await put(other, `shop.${top}`)
    expect({ status, verified: body.verified }).toEqual({ status: 200, verified: false })
    expect((await put(owner, `shop.${top}`)).body.verified).toBe(true)
    expect((await get(other, `shop.${top}`)).verified).toBe(false)
  })

  it('409 for a name below it that its team has claimed', async () => {
    const [owner, other] = [await newTeam(node), await newTeam(node)]
    const top = newName('covers')
    await claim(node, owner, top, { proven: true })
    await put(owner, `www.${top}`)
    expect((await put(other, `www.${top}`)).status).toBe(409)
  })
})

describe('a name below a verified one', () => {
  it('is verified at once, has the same proof before and after, and loses verification with it', async () => {
    const team = await newTeam(node)
    const top = newName('covered')
    const { body: pending } = await put(team, `a.b.${top}`)
    expect(pending.verified).toBe(false)
    await claim(node, team, top, { proven: true })
    const covered = await get(team, `a.b.${top}`)
    expect(covered).toEqual({ ...pending, verified: true, verified_ms: expect.any(Number) })
    const { body: fresh } = await put(team, `c.${top}`)
    expect(fresh).toMatchObject({ verified: true, verification: [{ name: `_svc.c.${top}` }] })
    await remove(team, top)
    for (const name of [`a.b.${top}`, `c.${top}`]) {
      expect(await get(team, name)).toMatchObject({ verified: false, verified_ms: null })
    }
  })

  it('belongs to the team with the longest verified name above it', async () => {
    const [owner, other] = [await newTeam(node), await newTeam(node)]
    const top = newName('longest')
    await claim(node, owner, top, { proven: true })
    await put(owner, `x.shop.${top}`)
    await put(other, `y.shop.${top}`)
    expect((await get(owner, `x.shop.${top}`)).verified).toBe(true)
    await claim(node, other, `shop.${top}`, { proven: true })
    expect((await get(owner, `x.shop.${top}`)).verified).toBe(false)
    expect((await get(other, `y.shop.${top}`)).verified).toBe(true)
    expect((await put(owner, `z.shop.${top}`)).body.verified).toBe(false)
    expect((await put(owner, `shop.${top}`)).status).toBe(409)
    await remove(other, `shop.${top}`)
    expect((await get(owner, `x.shop.${top}`)).verified).toBe(true)
    expect((await get(other, `y.shop.${top}`)).verified).toBe(false)
  })
})

describe('DELETE /v1/domains/{domain}', () => {
  it('deletes it, by name and by id; then it is 404', async () => {
    const team = await newTeam(node)
    const name = newName('gone')
    for (const by of ['domain', 'id']) {
      const { body: made } = await put(team, name)
      expect(await remove(team, made[by])).toMatchObject({
        status: 200,
        body: { id: made.id, deleted: true },
      })
      for (const method of ['GET', 'DELETE']) {
        const again = await team.owner(method, `/v1/domains/${made[by]}`)
        expect({ status: again.status, reason: again.body.reason }).toEqual({
          status: 404,
          reason: 'domain_not_found',
        })
      }
    }
  })

  it('ends the verification: the next team to claim the name has to prove it', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const name = newName('anew')
    await claim(node, team, name, { proven: true })
    const before = await get(team, name)
    await remove(team, name)
    for (const each of [team, other]) {
      const { status, body } = await put(each, name)
      expect({ status, verified: body.verified }).toEqual({ status: 200, verified: false })
      expect(body.verification[0].value).not.toBe(before.verification[0].value)
    }
  })

  it('deletes its records', async () => {
    const { db } = node.installation.store
    const team = await newTeam(node)
    const name = newName('records')
    const { body: made } = await put(team, name)
    await db.insert(records).values({
      id: newId('record', Date.now()),
      teamId: team.id,
      domainId: made.id,
      fqdn: name,
      reversed: name.split('.').reverse().join('.'),
      type: 'A',
      value: '192.0.2.1',
      ttl: 300,
      createdMs: 1,
      updatedMs: 1,
    })
    expect((await remove(team, name)).status).toBe(200)
    expect(await db.select().from(records).where(eq(records.domainId, made.id))).toEqual([])
  })

  it('takes effect once, also with a concurrent deletion or change', async () => {
    const team = await newTeam(node)
    for (let round = 0; round < 5; round += 1) {
      const { body: made } = await put(team, newName('race'))
      const answers = await Promise.all([
        remove(team, made.id),
        put(team, made.id, { redirect: { to: 'example.com' } }),
        remove(team, made.id),
      ])
      const [first, changed, second] = answers.map(({ status }) => status)
      expect([first, second].toSorted()).toEqual([200, 404])
      expect([200, 404]).toContain(changed)
      expect((await team.owner('GET', `/v1/domains/${made.id}`)).status).toBe(404)
    }
  })
})

it('a member may claim and configure; 403 role_required for a deletion', async () => {
  const team = await newTeam(node)
  const { api } = await addMember(node, team)
  const name = newName('member')
  expect((await api('PUT', `/v1/domains/${name}`, { redirect: { to: 'example.com' } })).status).toBe(200)
  const { status, body } = await api('DELETE', `/v1/domains/${name}`)
  expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'role_required' })
  expect((await api('GET', `/v1/domains/${name}`)).status).toBe(200)
})
