/** What a node says of itself, and what that costs its stores. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/open.ts'
import type { Store } from '../../src/db/store.ts'
import { createLogger } from '../../src/log/logger.ts'
import { createReadiness } from '../../src/observability/readiness.ts'
import type { RoleName } from '../../src/settings/kinds.ts'
import { sharedNode, type TestNode } from '../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** The readiness of a node in these roles, on real stores of which the blobs may be away. */
function open(roles: RoleName[] = ['api'], store: Pick<Store, 'db' | 'lookUps'> = node.installation.store) {
  const state = {
    nowMs: 0,
    checks: 0,
    logged: 0,
    blobsAway: false,
    listening: true,
    redisAway: false,
    jumpMs: 0,
  }
  const stopping = new AbortController()
  const look = createReadiness({
    store,
    blobs: {
      async check() {
        state.checks += 1
        if (state.blobsAway) throw new Error('away')
        await node.installation.blobs.check()
      },
    },
    limits: { state: () => (state.redisAway ? 'degraded' : 'memory') },
    removal: { jumpMs: () => state.jumpMs },
    roles,
    isListening: () => state.listening,
    stopping: stopping.signal,
    log: createLogger({
      write() {
        state.logged += 1
      },
    }),
    now: () => state.nowMs,
  })
  return { state, stopping, look }
}

describe('looks at the stores', () => {
  it('once a second at most, and once for all who ask meanwhile', async () => {
    const { state, look } = open()
    await Promise.all(Array.from({ length: 50 }, () => look()))
    state.nowMs = 999
    await look()
    expect(state.checks).toBe(1)
    state.nowMs = 1_000
    await Promise.all(Array.from({ length: 50 }, () => look()))
    expect(state.checks).toBe(2)
  })

  it('and finds what has gone and what is back, logging each look', async () => {
    const { state, look } = open()
    state.blobsAway = true
    for (let i = 0; i < 10; i += 1)
      expect(await look()).toMatchObject({ ready: false, blobs: false, degraded: [] })
    expect(state.logged).toBe(1)
    state.blobsAway = false
    state.nowMs = 1_000
    expect(await look()).toMatchObject({ ready: true, blobs: true })
  })
})

it.each<[RoleName[], boolean]>([
  [['dns'], true],
  [['edge', 'dns'], false],
  [['worker'], false],
])('a node of the roles %j without blobs: ready %s', async (roles, ready) => {
  const { state, look } = open(roles)
  state.blobsAway = true
  expect(await look()).toMatchObject({ ready, blobs: false, degraded: ready ? ['blobs'] : [] })
})

it.each<[RoleName[], boolean]>([
  [['dns'], true],
  // Without the database it is known for less than a second which deployment answers.
  [['edge'], false],
])('a node of the roles %j without the database: ready %s', async (roles, ready) => {
  const away = openPostgres('postgres://127.0.0.1:1/away')
  onTestFinished(() => away.close())
  const { look } = open(roles, away)
  expect(await look()).toMatchObject({ ready, database: false, degraded: ready ? ['database'] : [] })
})

it('does without the Redis of its limits, and says so', async () => {
  const { state, look } = open()
  state.redisAway = true
  expect(await look()).toMatchObject({ ready: true, limits: 'degraded', degraded: ['limits'] })
})

it('is ready with a clock that has jumped, and says so', async () => {
  const { state, look } = open()
  state.jumpMs = 1
  expect(await look()).toMatchObject({ ready: true, degraded: ['clock'] })
})

it('is not ready before all its ports listen, and from the moment it stops, whatever was found', async () => {
  const { state, stopping, look } = open()
  state.listening = false
  expect(await look()).toMatchObject({ ready: false, listening: false })
  state.listening = true
  expect(await look()).toMatchObject({ ready: true })
  stopping.abort()
  expect(await look()).toMatchObject({ ready: false, stopping: true })
})
