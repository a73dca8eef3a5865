import { getEventListeners } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { wholeTeam } from '../../../src/platform/callers/scope.ts'
import { waitForDeployment } from '../../../src/platform/deployments/wait.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { insertDeployment } from './steps.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

async function start(waitMs: number) {
  const team = await newTeam(node)
  const id = await insertDeployment(node, team)
  const stopping = new AbortController()
  const deps = { store, sitesUrl: node.sitesUrl, certifiedUrl: node.certifiedUrl, signal: stopping.signal }
  return { id, stopping, waiting: waitForDeployment(deps, wholeTeam(team.id), id, waitMs) }
}

describe('waiting for a deployment', () => {
  it('ends as soon as its signal aborts, as when the node stops', async () => {
    const { stopping, waiting } = await start(600_000)
    setTimeout(() => stopping.abort(), 50)
    expect((await waiting).state).toBe('queued')
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([])
  })

  it('ends at once each time, not with the next poll', async () => {
    const startMs = performance.now()
    for (let i = 0; i < 8; i += 1) {
      const { stopping, waiting } = await start(600_000)
      setTimeout(() => stopping.abort(), 10)
      await waiting
    }
    expect(performance.now() - startMs).toBeLessThan(6_000)
  })

  it('does not start if its signal was aborted before', async () => {
    const { stopping, waiting } = await start(600_000)
    stopping.abort()
    expect((await waiting).state).toBe('queued')
  })

  it('leaves no listener behind, also after many polls', { tags: 'long' }, async () => {
    const { id, stopping, waiting } = await start(2_500)
    const stopTelling = setInterval(() => store.changes.publish({ kind: 'deployment', id }), 20)
    expect((await waiting).state).toBe('queued')
    clearInterval(stopTelling)
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([])
  })
})
