import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { insertDeployment } from '../../platform/deployments/steps.ts'
import type { Api } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

/** Two of everything that can be listed, so that each list has a second page. */
beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  await team.owner('POST', '/v1/apikeys', { name: 'second' })
  for (const name of ['one', 'two']) {
    await team.owner('PUT', `/v1/projects/${name}`)
    await insertDeployment(node, team)
    await team.owner('PUT', `/v1/domains/${unique(name)}.com`)
  }
})

const lists = ['/v1/apikeys', '/v1/projects', '/v1/deployments', '/v1/domains', '/v1/logs']

async function firstCursor(api: Api, list: string): Promise<string> {
  const { body } = await api('GET', `${list}?limit=1`)
  expect(body.next_cursor).toEqual(expect.any(String))
  return body.next_cursor
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const invalid: [string, string][] = [
  ['garbage', '!!!'],
  ['not base64 of JSON', Buffer.from('hello').toString('base64url')],
  ['empty', ''],
  ['an empty list', encode([])],
  ['an object', encode({ id: 1 })],
  ['null', encode(null)],
  ['a NUL inside', encode([1, `key_${'0'.repeat(31)}\0`])],
  ['a NUL inside a name', encode(['a\0b'])],
  ['a negative time', encode([-1, newId('key', 1)])],
  ['a time that is not an integer', encode([1.5, newId('key', 1)])],
  ['a time beyond all integers', '[1e400,"x"]'],
  ['text instead of a time', encode(['1', newId('key', 1)])],
  ['SQL', encode(["'; drop table projects; --"])],
  ['huge', 'A'.repeat(1_000)],
]

describe.each(lists)('GET %s', (list) => {
  it.each(invalid)('400 invalid_cursor that names cursor: %s', async (_, cursor) => {
    const { status, body } = await team.owner('GET', `${list}?cursor=${encodeURIComponent(cursor)}`)
    expect(status).toBe(400)
    expect(body.reason).toBe('invalid_cursor')
    expect(body.issues).toMatchObject([{ path: 'cursor' }])
  })

  it('400 for a cursor that is longer than any of ours', async () => {
    const { status, body } = await team.owner('GET', `${list}?cursor=${'A'.repeat(1_001)}`)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'cursor' }])
  })

  it('400 invalid_cursor for the cursor of another list', async () => {
    for (const other of lists.filter((each) => each !== list)) {
      const { status, body } = await team.owner(
        'GET',
        `${list}?cursor=${await firstCursor(team.owner, other)}`,
      )
      expect(status, other).toBe(400)
      expect(body.reason).toBe('invalid_cursor')
    }
  })

  it('400 invalid_cursor for a cursor of its own with extra content', async () => {
    const cursor = await firstCursor(team.owner, list)
    for (const changed of [`${cursor}!`, `${cursor}\n`, ` ${cursor}`, `${cursor}==`, cursor.slice(0, -2)]) {
      const { status } = await team.owner('GET', `${list}?cursor=${encodeURIComponent(changed)}`)
      expect(status, JSON.stringify(changed)).toBe(400)
    }
  })

  it("returns no foreign rows for another team's cursor", async () => {
    const stranger = await newTeam(node)
    const { status, body } = await stranger.owner(
      'GET',
      `${list}?cursor=${await firstCursor(team.owner, list)}`,
    )
    expect(status).toBe(200)
    expect(body.data.filter((row: { team?: string }) => row.team !== stranger.slug)).toEqual([])
  })

  it.each(['0', '101', '-1', '1.5', 'ten', '', '1e1', '1&limit=2'])(
    '400 that names limit: %s',
    async (limit) => {
      const { status, body } = await team.owner('GET', `${list}?limit=${limit}`)
      expect(status).toBe(400)
      expect(body.issues).toMatchObject([{ path: 'limit' }])
    },
  )
})
