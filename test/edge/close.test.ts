/** An edge that stops. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { createSites } from '../../src/edge/sites.ts'
import { createLogger } from '../../src/log/logger.ts'
import { startEdge } from '../../src/node/edge.ts'
import { deploy } from '../deployments/steps.ts'
import { sharedNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { ask } from './client.ts'

/** How long answers wait for others, with which they are counted. */
const waitMs = 50

it('has told of every answer, also of those that waited to be counted with others', async () => {
  const node = await sharedNode()
  const { installation, settings } = node
  const { url } = await deploy(await newTeam(node))
  const { setTimeout: start } = globalThis
  // Nothing but the stop counts them.
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number) => start(ms === waitMs ? () => {} : work, ms))
  onTestFinished(() => void vi.unstubAllGlobals())
  const sites = createSites(installation.store)
  const statuses: number[] = []
  const edge = await startEdge({
    ...{ settings, installation, sites, nowMs: Date.now, log: createLogger({ write: () => {} }) },
    authenticate: async () => undefined,
    observe: ({ status }) => statuses.push(status),
  })
  for (let i = 0; i < 3; i += 1) await ask(edge.port, new URL(url).host, '/')
  expect(statuses).toEqual([])
  await edge.close(0)
  sites.stop()
  expect(statuses).toEqual([200, 200, 200])
})
