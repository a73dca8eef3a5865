/** Following a team's log live. */
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wholeTeam } from '../../../src/platform/callers/scope.ts'
import { followLogs } from '../../../src/platform/observability/logs/follow.ts'
import { settledMs, writeLines } from '../../platform/observability/logs/lines.ts'
import { apiOf } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, startTestNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

const follow = (waitS: number, query = '') =>
  team.owner('GET', `/v1/logs?kind=build&order=asc&wait_s=${waitS}${query}`)

const messagesOf = ({ data }: { data: { message: string }[] }) => data.map(({ message }) => message)

describe('wait_s', () => {
  it('responds at once if there are lines already', async () => {
    await writeLines(node, team, [{ message: 'there' }])
    const startMs = performance.now()
    expect(messagesOf((await follow(30)).body)).toEqual(['there'])
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })

  it('responds soon after a line was written, and not before a second has passed', async () => {
    const following = follow(30)
    await sleep(100)
    const timeMs = Date.now()
    await writeLines(node, team, [{ message: 'new', timeMs }])
    expect(messagesOf((await following).body)).toEqual(['new'])
    expect(Date.now() - timeMs).toBeGreaterThanOrEqual(1_000)
    expect(Date.now() - timeMs).toBeLessThan(6_000)
  })

  it('returns nothing to a key that was revoked meanwhile', async () => {
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'follows', role: 'member' })
    const path = '/v1/logs?kind=build&order=asc&wait_s=30'
    const following = apiOf(node, key.token)('GET', path)
    await eventually(async () => {
      const { body } = await team.owner('GET', '/v1/apikeys')
      expect(body.data.find(({ id }: { id: string }) => id === key.id)?.last_used_ms).not.toBeNull()
    })
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    await writeLines(node, team, [{ message: 'secret' }])
    expect(await following).toMatchObject({ status: 401, body: { reason: 'unauthorized' } })
  })

  it('returns an empty page when the time is over, with a cursor to continue with', async () => {
    const { body } = await follow(1)
    expect(body).toEqual({ data: [], next_cursor: expect.any(String) })
    await writeLines(node, team, [{ message: 'later' }])
    expect(messagesOf((await follow(5, `&cursor=${body.next_cursor}`)).body)).toEqual(['later'])
  })

  it('waits for lines that match the filters', async () => {
    const following = follow(2, '&q=wanted')
    await writeLines(node, team, [{ message: 'other' }])
    const { body } = await following
    expect(messagesOf(body)).toEqual([])
    await writeLines(node, team, [{ message: 'one that is wanted' }])
    expect(messagesOf((await follow(2, `&q=wanted&cursor=${body.next_cursor}`)).body)).toEqual([
      'one that is wanted',
    ])
  })

  it('does not wait if until_ms has passed', async () => {
    const startMs = performance.now()
    const { body } = await follow(30, `&until_ms=${settledMs()}`)
    expect(body).toEqual({ data: [], next_cursor: null })
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })
})

it('returns every line once, in order, to a follower while several nodes write', async () => {
  const written = 60
  const writing = Promise.all(
    [0, 1, 2].map(async (writer) => {
      for (let index = writer; index < written; index += 3) {
        const timeMs = Date.now()
        await sleep(Math.random() * 20)
        await writeLines(node, team, [{ message: String(index), timeMs }])
      }
    }),
  )
  const found: { message: string; time_ms: number }[] = []
  let cursor = ''
  while (found.length < written) {
    const { body } = await follow(5, `&limit=7${cursor}`)
    found.push(...body.data)
    cursor = `&cursor=${body.next_cursor}`
    if (body.data.length === 0) break
  }
  await writing
  const numbers = found.map(({ message }) => Number(message))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: written }, (_, index) => index))
  expect(found.map(({ time_ms }) => time_ms)).toEqual(
    found.map(({ time_ms }) => time_ms).toSorted((a, b) => a - b),
  )
})

describe.runIf(process.env.TEST_ON)('a line of an earlier time that is committed later', () => {
  it('is never skipped', async () => {
    const client = postgres(node.settings.DATABASE_URL ?? '', { max: 1 })
    const earlyMs = Date.now()
    let cursor = ''
    const found: string[] = []
    const look = async () => {
      const { body } = await follow(0, cursor)
      found.push(...messagesOf(body))
      cursor = `&cursor=${body.next_cursor}`
    }
    await client.begin(async (tx) => {
      await tx`insert into log_lines (team_id, kind, level, message, fields, time_ms)
        values (${team.id}, 'build', 'info', 'early', '{}', ${earlyMs})`
      await writeLines(node, team, [{ message: 'late', timeMs: earlyMs + 1 }])
      while (Date.now() < earlyMs + 800) {
        await look()
        await sleep(50)
      }
    })
    await client.end()
    while (found.length < 2 && Date.now() < earlyMs + 10_000) await look()
    expect(found).toEqual(['early', 'late'])
  })
})

describe('at most 20 calls of a team wait', () => {
  it('the next is 429 with the time to wait; other teams and calls without a wait proceed', async () => {
    const going = new AbortController()
    const url = `${node.apiUrl}/v1/logs?kind=build&order=asc&wait_s=30`
    const headers = { authorization: `Bearer ${team.ownerKey}` }
    // A call behind the one below finds its place taken, and tries again.
    const wait = async (): Promise<void> => {
      const { status } = await fetch(url, { headers, signal: going.signal })
      if (status === 429) await sleep(20).then(wait)
    }
    const waiting = Array.from({ length: 20 }, wait)
    const refused = await eventually(
      async () => {
        const answer = await follow(1)
        expect(answer.status).toBe(429)
        return answer
      },
      // A call that found a place free leaves it to the one that it kept out.
      { everyMs: 500 },
    )
    expect(refused.body).toMatchObject({ reason: 'too_many_waiting', retry_after_ms: 5_000 })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await follow(0)).status).toBe(200)
    const other = await newTeam(node)
    expect((await other.owner('GET', '/v1/logs?order=asc&kind=build&wait_s=1')).status).toBe(200)
    // Their places are free again as soon as they disconnect.
    going.abort()
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected')
    await eventually(async () => expect((await follow(1)).status).toBe(200))
  })
})

describe('a wait ends', () => {
  it('when its signal aborts, as when the client disconnects', async () => {
    const going = new AbortController()
    const deps = { store: node.installation.store, nowMs: Date.now, signal: going.signal }
    const options = { kind: 'build', order: 'asc', limit: 20 } as const
    const following = followLogs(
      deps,
      { ...wholeTeam(team.id), userId: team.ownerId, role: 'owner' },
      options,
      600_000,
    )
    setTimeout(() => going.abort(), 50)
    expect(await following).toMatchObject({ data: [], next_cursor: expect.any(String) })
  })

  it('when the node stops, with a cursor for another node', async () => {
    const stopped = await startTestNode()
    const own = await newTeam(stopped)
    // The document that responses are checked against is read while the node runs.
    await own.owner('GET', '/v1/logs')
    const following = own.owner('GET', '/v1/logs?kind=build&order=asc&wait_s=30')
    await sleep(500)
    const startMs = performance.now()
    await Promise.all([stopped.stop(), following])
    expect((await following).body).toEqual({ data: [], next_cursor: expect.any(String) })
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })
})

it('uses the clock of the node', async () => {
  const timeMs = Date.now() + 60_000
  await writeLines(node, team, [{ message: 'ahead', timeMs }])
  expect(messagesOf((await follow(0)).body)).toEqual([])
  const deps = { store: node.installation.store, nowMs: () => timeMs + 1_001 }
  const signal = new AbortController().signal
  const options = { order: 'asc', limit: 1 } as const
  expect(
    messagesOf(
      await followLogs(
        { ...deps, signal },
        { ...wholeTeam(team.id), userId: team.ownerId, role: 'owner' },
        options,
        0,
      ),
    ),
  ).toEqual(['ahead'])
})
