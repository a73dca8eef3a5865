import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

afterAll(() => {
  node.clock.aheadMs = 0
})

type Listed = { id: string; name: string; type: string; value: string; created_ms: number; managed: boolean }

async function newZone(proven = false) {
  const team = await newTeam(node)
  const domain = `${unique('zone')}.com`
  await claim(node, team, domain, {
    proven,
    ...(proven && { redirect: { to: 'https://example.net', status: 308 } }),
  })
  const path = `/v1/domains/${domain}/records`
  return {
    team,
    domain,
    path,
    get: (query: string) => team.owner('GET', `${path}?${query}`),
    async create(name: string, value: string, type = 'TXT'): Promise<string> {
      // Not all in one millisecond, but some.
      node.clock.aheadMs += Number(value.length % 2)
      return (await team.owner('POST', path, { name, type, value })).body.id
    },
    async walk(query: string, between = async () => {}): Promise<Listed[]> {
      const seen: Listed[] = []
      let cursor: string | null = null
      do {
        const { status, body } = await team.owner(
          'GET',
          `${path}?${query}${cursor ? `&cursor=${cursor}` : ''}`,
        )
        expect(status).toBe(200)
        seen.push(...body.data)
        cursor = body.next_cursor
        await between()
      } while (cursor)
      return seen
    },
  }
}

const values = (rows: Listed[]) => rows.map(({ value }) => value)

describe('GET /v1/domains/{domain}/records', () => {
  it('returns every record once, newest first, page by page, including the service’s own', async () => {
    const zone = await newZone(true)
    for (let i = 0; i < 9; i++) await zone.create(`h${i}`, 'x'.repeat(i + 1))
    const all = await zone.walk('limit=100')
    expect(all).toHaveLength(11)
    expect(all.filter(({ managed }) => managed)).toHaveLength(2)
    const newest = all.toSorted((a, b) => b.created_ms - a.created_ms || (a.id < b.id ? 1 : -1))
    expect(all).toEqual(newest)
    for (const limit of [1, 2, 3, 10, 11]) expect(await zone.walk(`limit=${limit}`)).toEqual(all)
  })

  it('can be filtered by name, in any spelling, and by type', async () => {
    const zone = await newZone(true)
    await zone.create('www', '192.0.2.1', 'A')
    await zone.create('www', 'one')
    await zone.create('www', 'two')
    await zone.create('*', 'three')
    await zone.create('@', 'four')
    await zone.create('bücher', 'five')
    const found = async (query: string) => values(await zone.walk(query))
    expect(await found('name=www')).toEqual(['two', 'one', '192.0.2.1'])
    expect(await found('name=WWW&type=TXT&limit=1')).toEqual(['two', 'one'])
    expect(await found(`name=www.${zone.domain}.&type=A`)).toEqual(['192.0.2.1'])
    expect(await found('name=*')).toEqual(['three'])
    expect(await found('name=@')).toEqual(['four', '127.0.0.1'])
    expect(await found(`name=${encodeURIComponent('bücher')}`)).toEqual(['five'])
    expect(await found('name=_svc&type=TXT')).toEqual([expect.stringMatching(/^svc-verify=/)])
    expect(await found('type=A')).toEqual(['192.0.2.1', '127.0.0.1'])
    expect(await found('type=MX')).toEqual([])
    expect(await found('name=nothing')).toEqual([])
    expect(await found('type=TXT&limit=2')).toEqual([
      'five',
      'four',
      'three',
      'two',
      'one',
      expect.stringMatching(/^svc-verify=/),
    ])
  })

  it('neither repeats nor skips any while others are added and deleted', async () => {
    const zone = await newZone()
    const ids: string[] = []
    for (let i = 0; i < 8; i++) ids.push(await zone.create(`h${i}`, `text ${i}`))
    const steps = [
      () => zone.create('new', 'new'),
      () => zone.team.owner('DELETE', `${zone.path}/${ids[7]}`),
      () => zone.team.owner('PUT', `${zone.path}/${ids[0]}`, { ttl: 60 }),
      () => zone.create('newer', 'newer'),
    ]
    const seen = await zone.walk('limit=2', async () => void (await steps.shift()?.()))
    expect(seen.map(({ id }) => id)).toEqual(ids.toReversed())
  })

  it('skips no existing one while others are created all the time', async () => {
    const zone = await newZone()
    const ids: string[] = []
    for (let i = 0; i < 20; i++) ids.push(await zone.create(`h${i}`, `text ${i}`))
    const creating = Promise.all(Array.from({ length: 20 }, (_, i) => zone.create(`new${i}`, `new ${i}`)))
    const seen = (await zone.walk('limit=3')).map(({ id }) => id)
    await creating
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(ids))
  })

  it.each([
    ['name', 'name=a%20b'],
    ['name', 'name='],
    ['name', 'name=a.*'],
    ['type', 'type=SOA'],
    ['type', 'type=a'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['cursor', 'cursor=garbage'],
    ['cursor', `cursor=${Buffer.from(JSON.stringify([1, newId('deployment', 1)])).toString('base64url')}`],
    ['q', 'q=www'],
  ])('400 that names %s: %s', async (path, query) => {
    const { status, body } = await (await newZone()).get(query)
    expect({ status, issues: body.issues }).toMatchObject({ status: 400, issues: [{ path }] })
  })
})
