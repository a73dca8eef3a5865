/** Stopping an edge. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { createUnreadLimits, unreadBytesOf } from '../../../src/lib/net/unread/limits.ts'
import { startEdge } from '../../../src/operate/node/edge.ts'
import { ownRatesOf } from '../../../src/platform/limits/limits-from-settings.ts'
import { createOwnLimits } from '../../../src/platform/limits/own-limits.ts'
import { createSites } from '../../../src/roles/edge/sites.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { sharedNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { sendRequest } from './client.ts'

/** How long responses wait to be counted in a batch. */
const waitMs = 50

it('reports every response, also those that waited to be counted in a batch', async () => {
  const node = await sharedNode()
  const { installation, settings } = node
  const { url } = await deploy(await newTeam(node))
  const { setTimeout: start } = globalThis
  // Only the stop counts them.
  vi.stubGlobal('setTimeout', (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    start(ms === waitMs ? () => {} : work, ms, ...args),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const sites = createSites(installation.store, 0)
  const statuses: number[] = []
  const log = createLogger({ write: () => {} })
  const unread = createUnreadLimits({ ...unreadBytesOf(1), log })
  const edge = await startEdge({
    settings,
    installation,
    sites,
    unread,
    nowMs: Date.now,
    log,
    ownLimits: createOwnLimits(ownRatesOf(settings)),
    certificates: undefined,
    authenticate: async () => undefined,
    servers: undefined,
    passwords: { draw: () => ({ allowed: true, remaining: 1, waitMs: 0 }), giveBack: () => {} },
    apiUrl: () => node.apiUrl,
    observe: ({ status }) => statuses.push(status),
  })
  for (let i = 0; i < 3; i += 1) await sendRequest(edge.port, new URL(url).host, '/')
  expect(statuses).toEqual([])
  await edge.close(0)
  sites.stop()
  unread.stop()
  expect(statuses).toEqual([200, 200, 200])
})
