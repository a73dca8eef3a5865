/** A node's readiness, and the load of its checks on the stores. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { createLogger } from '../../../src/lib/log/logger.ts'
import type { RoleName } from '../../../src/lib/settings/kinds.ts'
import { type Alert, type AlertName, alertNames } from '../../../src/platform/observability/alerts/alert.ts'
import { createReadiness, publicReadiness } from '../../../src/platform/observability/readiness.ts'
import { openPostgres } from '../../../src/stores/db/open-database.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** The readiness of a node with these roles, on real stores whose blobs may be unavailable. */
function open(
  roles: RoleName[] = ['api'],
  {
    store = node.installation.store,
    isShared = false,
    servesStale = true,
  }: { store?: Pick<Store, 'db' | 'lookUps'>; isShared?: boolean; servesStale?: boolean } = {},
) {
  const state = {
    nowMs: 0,
    checks: 0,
    logged: 0,
    blobsAway: false,
    listening: true,
    late: [] as number[],
    redisAway: false,
    diskFull: false,
    alerts: [] as Alert[],
  }
  const stopping = new AbortController()
  const look = createReadiness({
    store,
    blobs: {
      isShared,
      async check() {
        state.checks += 1
        if (state.blobsAway) throw new Error('away')
        if (state.diskFull) throw new AppError('disk_full', 'The disk is full.')
        await node.installation.blobs.check()
      },
    },
    limits: { state: () => (state.redisAway ? 'degraded' : 'memory') },
    alerts: {
      look: async () => ({ alerts: state.alerts, disk: undefined, certificates: [], backup: undefined }),
    },
    roles,
    servesStale,
    isListening: () => state.listening,
    late: () => state.late,
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

describe('checks the stores', () => {
  it('once a second at most, and once for concurrent callers', async () => {
    const { state, look } = open()
    await Promise.all(Array.from({ length: 50 }, () => look()))
    state.nowMs = 999
    await look()
    expect(state.checks).toBe(1)
    state.nowMs = 1_000
    await Promise.all(Array.from({ length: 50 }, () => look()))
    expect(state.checks).toBe(2)
  })

  it('and notices what fails and what recovers, logging each change', async () => {
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

it.each<[RoleName[]]>([[['edge']], [['edge', 'dns']], [['api']], [['api', 'edge']], [['worker']]])(
  'a node of the roles %j without the bucket of all nodes is ready, and reports it',
  async (roles) => {
    const { state, look } = open(roles, { isShared: true })
    state.blobsAway = true
    expect(await look()).toMatchObject({ ready: true, blobs: false, degraded: ['blobs'] })
  },
)

it.each<[RoleName[], boolean, boolean]>([
  [['dns'], false, true],
  [['edge'], true, true],
  [['edge'], false, false],
  [['api', 'edge'], true, false],
  [['worker'], true, false],
])(
  'a node of the roles %j without the database (serves stale sites: %s): ready %s',
  async (roles, servesStale, ready) => {
    const away = openPostgres('postgres://127.0.0.1:1/away')
    onTestFinished(() => away.close())
    const { look } = open(roles, { store: away, servesStale })
    expect(await look()).toMatchObject({ ready, database: false, degraded: ready ? ['database'] : [] })
  },
)

it('is ready without the Redis of its limits, and reports it', async () => {
  const { state, look } = open()
  state.redisAway = true
  expect(await look()).toMatchObject({ ready: true, limits: 'degraded', degraded: ['limits'] })
})

const alertOf = (name: AlertName, place = '/data'): Alert => ({
  name,
  place,
  figure: 1,
  unit: 'free_percent',
  isOfMachine: true,
  message: `Something is wrong with ${place}.`,
})

it('without space on the disk it is ready, and says so', async () => {
  const { state, look } = open()
  expect(await look()).toMatchObject({ ready: true, disk: 'ok', degraded: [], alerts: [] })
  state.diskFull = true
  state.nowMs = 1_000
  state.alerts = [alertOf('disk_full')]
  const full = {
    ready: true,
    blobs: true,
    disk: 'disk_full',
    degraded: ['disk'],
    alerts: [{ name: 'disk_full' }],
  }
  expect(await look()).toMatchObject(full)
})

it('is ready with any alert, and has the word of each once', async () => {
  const { state, look } = open()
  state.alerts = alertNames.map((name) => alertOf(name))
  const degraded = ['certificate', 'disk_low', 'disk', 'clock', 'clock_off', 'backup']
  expect(await look()).toMatchObject({ ready: true, degraded, alerts: alertNames.map((name) => ({ name })) })
})

it('keeps the names of teams’ domains from everybody', async () => {
  const { state, look } = open()
  state.alerts = [{ ...alertOf('certificate_expired', 'www.example.com'), publicPlace: 'a domain of a team' }]
  const text = JSON.stringify(publicReadiness(await look()))
  expect(text).toContain('Something is wrong with a domain of a team.')
  expect(text).not.toContain('example.com')
})

it('is not ready before all ports listen, with an unresponsive process, or while stopping', async () => {
  const { state, stopping, look } = open()
  state.listening = false
  expect(await look()).toMatchObject({ ready: false, listening: false })
  state.listening = true
  expect(await look()).not.toHaveProperty('unresponsive')
  state.late = [71]
  expect(await look()).toMatchObject({ ready: false, listening: true, unresponsive: [71] })
  state.late = []
  stopping.abort()
  expect(await look()).toMatchObject({ ready: false, stopping: true })
})
