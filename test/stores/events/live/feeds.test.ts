/** Streams of one node: bounded, and read together. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../../src/stores/db/store.ts'
import { createFeeds, type Feeds } from '../../../../src/stores/events/live/feeds.ts'
import { createTestLog } from '../../../support/kept-logs.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

let node: TestNode
let team: TestTeam
let feeds: Feeds
let reads: number

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  reads = 0
  const { store } = node.installation
  feeds = createFeeds({ store: counting(store), log: createTestLog([]), nowMs: Date.now })
})

/** The store, which counts how often a feed reads it. */
function counting(store: Store): Store {
  return {
    ...store,
    get db() {
      reads += 1
      return store.db
    },
  }
}

const open = (count: number, teamId = team.id) =>
  Promise.all(Array.from({ length: count }, () => feeds.open(teamId)))

const soon = { timeout: 5_000, interval: 20 }

describe('a hundred streams of a team', () => {
  it('read its events together', async () => {
    const streams = await open(100)
    const before = reads
    await team.owner('PUT', `/v1/projects/${unique('site')}`)
    for (const { inbox } of streams) {
      await inbox.wait()
      expect(inbox.take().events.map(({ message }) => message.type)).toEqual(['project.created'])
    }
    expect(reads - before).toBeLessThan(5)
    for (const { close } of streams) close()
  })

  it('are the most, on this node: the next is refused, until one is closed', async () => {
    const streams = await open(100)
    const refused = { reason: 'too_many_waiting', retryAfterMs: 10_000 }
    await expect(feeds.open(team.id)).rejects.toMatchObject(refused)
    const other = await newTeam(node)
    const [theirs] = await open(1, other.id)
    streams.pop()?.close()
    streams.push(await feeds.open(team.id))
    await expect(feeds.open(team.id)).rejects.toMatchObject(refused)
    for (const { close } of streams) close()
    theirs?.close()
  })
})

it('a team without streams is not read', async () => {
  const [stream] = await open(1)
  stream?.close()
  const before = reads
  const [other] = await open(1, (await newTeam(node)).id)
  const opened = reads
  await team.owner('PUT', `/v1/projects/${unique('site')}`)
  await expect.poll(async () => (await team.owner('GET', '/v1/projects')).body.data.length, soon).toBe(1)
  expect(reads).toBe(opened)
  expect(opened).toBeGreaterThan(before)
  other?.close()
})

it('an event is read once the database is back', async () => {
  let isAway = false
  const { store } = node.installation
  const failing = {
    ...store,
    get db() {
      if (isAway) throw new Error('away')
      return store.db
    },
  }
  const own = createFeeds({ store: failing, log: createTestLog([]), nowMs: Date.now })
  const { inbox, close } = await own.open(team.id)
  isAway = true
  await expect(own.open((await newTeam(node)).id)).rejects.toThrow('away')
  await team.owner('PUT', `/v1/projects/${unique('site')}`)
  isAway = false
  await inbox.wait()
  expect(inbox.take().events.map(({ message }) => message.type)).toEqual(['project.created'])
  close()
})
