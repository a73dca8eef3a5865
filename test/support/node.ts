/**
 * A node in the test's own process, one per process: real stores, real sockets, and a clock that tests can
 * move.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { DashboardPlace } from '../../src/api/server/dashboard/dashboard.ts'
import type { Timeouts } from '../../src/api/server/http/timeouts.ts'
import { parseSettings } from '../../src/lib/settings/parse.ts'
import type { Settings } from '../../src/lib/settings/variables.ts'
import { type Installation, openInstallation } from '../../src/operate/node/installation.ts'
import { type Node, runNode } from '../../src/operate/node/node.ts'
import { createTestLog, knowSecret, knowSecretsOf } from './kept-logs.ts'
import { pretendOneDirectory } from './one-directory.ts'
import { generousRates } from './rates.ts'
import { prepareDataDirectory } from './template.ts'

export type TestNode = Node & {
  /** Empty where it is another node's, and no setting says it. */
  apiUrl: string
  installation: Installation
  settings: Settings
  /** Every line that the node logged. */
  logged: string[]
  /** Milliseconds added to the system's time. */
  clock: { aheadMs: number }
}

let shared: Promise<TestNode> | undefined

/** The node that the tests of this process share; use teams of your own. */
export function sharedNode(): Promise<TestNode> {
  shared ??= startTestNode()
  return shared
}

/**
 * For a file that starts many nodes: the shared one holds no connections meanwhile. The next file starts it
 * again.
 */
export async function stopSharedNode(): Promise<void> {
  const node = shared
  shared = undefined
  await (await node)?.stop()
}

/** A node of its own, on PostgreSQL in the PostgreSQL project, else on PGlite; stop it in the end. */
export async function startTestNode(
  environment: Record<string, string> = {},
  options: { timeouts?: Timeouts; dashboard?: DashboardPlace } = {},
): Promise<TestNode> {
  const database = process.env.TEST_ON ? inject('database') : undefined
  const given = {
    SVC_DATA_DIR: join(inject('dataDirectories'), randomUUID().slice(0, 8)),
    SVC_PORT: '0',
    SVC_EDGE_PORT: '0',
    SVC_INTERNAL_PORT: '0',
    SVC_STOP_MS: '1000',
    // Whether it has been built must make no difference.
    SVC_DASHBOARD: 'off',
    // Nobody answers there, so that tests' claims are never looked up elsewhere.
    SVC_RESOLVERS: '127.0.0.1:1',
    // Many nodes run at once, which share the connections of one server.
    SVC_DATABASE_CONNECTIONS: '2',
    ...generousRates,
    // All nodes on the shared database need the same key.
    SVC_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(database && { DATABASE_URL: database }),
    ...environment,
  }
  knowSecretsOf(given)
  const settings = parseSettings(given)
  if (settings.DATABASE_URL === undefined) await prepareDataDirectory(settings.SVC_DATA_DIR)
  else await pretendOneDirectory(settings.SVC_DATA_DIR)
  const clock = { aheadMs: 0 }
  const logged: string[] = []
  const log = createTestLog(logged)
  const installation = await openInstallation(settings, { log })
  const node = await runNode(installation, settings, {
    log,
    nowMs: () => Date.now() + clock.aheadMs,
    ...options,
  })
  knowSecret('the first key', node.firstKey?.token)
  knowSecret("the token of the first person's link", node.firstLink?.split('token=')[1])
  return { ...node, apiUrl: node.apiUrl ?? '', installation, settings, logged, clock }
}

/** Text that no other test has, also where most of them share a database: 32 random bits have met there. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}`
}
