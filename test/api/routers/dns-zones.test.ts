/** Which zone a record belongs to if a team has claimed one name below another, and who sees it. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const path = (domain: string) => `/v1/domains/${domain}/records`

async function namesOf(team: TestTeam, domain: string, query = ''): Promise<string[]> {
  const { status, body } = await team.owner('GET', `${path(domain)}?limit=100${query}`)
  expect(status).toBe(200)
  return body.data.map(({ name }: { name: string }) => name).toSorted()
}

const a = (name: string) => ({ name, type: 'A', value: '192.0.2.1' })

describe('a domain below another of the team', () => {
  it('has no records of its own: 409 in_zone_of names the zone, and the record’s name there', async () => {
    const team = await newTeam(node)
    const top = `${unique('top')}.com`
    await claim(node, team, top)
    await claim(node, team, `eu.${top}`)
    const lower = await claim(node, team, `shop.eu.${top}`)
    for (const [reference, name, there] of [
      [`shop.eu.${top}`, 'www', 'www.shop.eu'],
      [lower, '@', 'shop.eu'],
      [`eu.${top}`, '*', '*.eu'],
    ]) {
      const { status, body } = await team.owner('POST', path(reference ?? ''), a(name ?? ''))
      expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'in_zone_of' })
      expect(body.message).toContain(`${path(top)}, where the name of this one is ${there}.`)
    }
    const { body: record } = await team.owner('POST', path(top), a('www.shop.eu'))
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await team.owner(method, `${path(`shop.eu.${top}`)}/${record.id}`)
      expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'in_zone_of' })
    }
    expect(await namesOf(team, top)).toEqual(['www.shop.eu'])
  })

  it('returns the zone’s records at or below it, with their names in the zone', async () => {
    const team = await newTeam(node)
    const top = `${unique('top')}.com`
    await claim(node, team, top, { proven: true })
    await claim(node, team, `shop.${top}`, { proven: true })
    const made = new Map<string, string>()
    for (const name of ['@', 'www', 'shop', 'www.shop', 'webshop']) {
      const { body } = await team.owner('POST', path(top), a(name))
      made.set(name, body.id)
    }
    expect(await namesOf(team, top)).toEqual(['@', '_svc', '_svc.shop', 'shop', 'webshop', 'www', 'www.shop'])
    expect(await namesOf(team, `shop.${top}`)).toEqual(['_svc.shop', 'shop', 'www.shop'])
    expect(await namesOf(team, `shop.${top}`, '&name=www.shop')).toEqual(['www.shop'])
    expect(await namesOf(team, `shop.${top}`, '&name=www')).toEqual([])
    const through = (name: string) => team.owner('GET', `${path(`shop.${top}`)}/${made.get(name)}`)
    expect(await through('www.shop')).toMatchObject({ status: 200, body: { name: 'www.shop', domain: top } })
    expect(await through('www')).toMatchObject({ status: 404, body: { reason: 'record_not_found' } })
  })

  it('loses its zone when the parent domain is claimed, where its records are then changed', async () => {
    const team = await newTeam(node)
    const top = `${unique('top')}.com`
    const lower = await claim(node, team, `shop.${top}`)
    const { body: record } = await team.owner('POST', path(`shop.${top}`), a('www'))
    expect(record).toMatchObject({ name: 'www', domain: `shop.${top}` })
    await claim(node, team, top)
    expect(await namesOf(team, top)).toEqual(['www.shop'])
    expect(
      await team.owner('POST', path(top), { ...a('www.shop'), type: 'CNAME', value: 'a.example.net' }),
    ).toMatchObject({
      status: 409,
      body: { reason: 'record_conflict' },
    })
    const moved = await team.owner('PUT', `${path(top)}/${record.id}`, { name: 'www' })
    expect(moved.body).toMatchObject({ id: record.id, name: 'www', domain: top, fqdn: `www.${top}` })
    // The record no longer belongs to the lower name, and isn't deleted with it.
    await node.installation.store.db.delete(domains).where(eq(domains.id, lower))
    expect(await namesOf(team, top)).toEqual(['www'])
  })
})

describe('names that several teams claim', () => {
  it('have separate records for each team', async () => {
    const top = `${unique('top')}.com`
    const mine = await newTeam(node)
    const theirs = await newTeam(node)
    await claim(node, theirs, top, { proven: true })
    await claim(node, mine, top)
    await claim(node, mine, `shop.${top}`)
    const { body: record } = await theirs.owner('POST', path(top), {
      name: 'shop',
      type: 'CNAME',
      value: 'a.example.net',
    })
    // Another team's records at a name are no conflict, nor is its claim this team's zone.
    const { status, body: own } = await mine.owner('POST', path(top), a('shop'))
    expect(status).toBe(200)
    expect(await namesOf(mine, top)).toEqual(['shop'])
    expect(await namesOf(theirs, top)).toEqual(['_svc', 'shop'])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(await mine.owner(method, `${path(top)}/${record.id}`)).toMatchObject({
        status: 404,
        body: { reason: 'record_not_found' },
      })
    }
    expect((await mine.owner('PUT', `${path(top)}/${own.id}`, { ttl: 60 })).status).toBe(200)
    expect((await theirs.owner('GET', `${path(top)}/${record.id}`)).body).toEqual(record)
  })

  it('above a team’s own are not its zone', async () => {
    const top = `${unique('top')}.com`
    const mine = await newTeam(node)
    await claim(node, await newTeam(node), top, { proven: true })
    await claim(node, mine, `shop.${top}`)
    expect((await mine.owner('POST', path(`shop.${top}`), a('@'))).body.domain).toBe(`shop.${top}`)
    expect((await mine.owner('GET', path(top))).status).toBe(404)
  })
})

it('members may do all of it', async () => {
  const team = await newTeam(node)
  const { api } = await addMember(node, team)
  const top = `${unique('top')}.com`
  await claim(node, team, top)
  const { status, body } = await api('POST', path(top), a('www'))
  expect(status).toBe(200)
  expect((await api('PUT', `${path(top)}/${body.id}`, { ttl: 60 })).status).toBe(200)
  expect((await api('DELETE', `${path(top)}/${body.id}`)).status).toBe(200)
})
