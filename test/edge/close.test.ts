/** Stopping an edge. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { createSites } from '../../src/edge/sites.ts'
import { ownRatesOf } from '../../src/limits/from-settings.ts'
import { createOwnLimits } from '../../src/limits/own-limits.ts'
import { createLogger } from '../../src/log/logger.ts'
import { createUnreadLimits, unreadBytesOf } from '../../src/net/unread/limits.ts'
import { startEdge } from '../../src/node/edge.ts'
import { deploy } from '../deployments/steps.ts'
import { sharedNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
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
    ...{ settings, installation, sites, unread, nowMs: Date.now, log },
    ownLimits: createOwnLimits(ownRatesOf(settings)),
    certificates: undefined,
    authenticate: async () => undefined,
    observe: ({ status }) => statuses.push(status),
  })
  for (let i = 0; i < 3; i += 1) await sendRequest(edge.port, new URL(url).host, '/')
  expect(statuses).toEqual([])
  await edge.close(0)
  sites.stop()
  unread.stop()
  expect(statuses).toEqual([200, 200, 200])
})
