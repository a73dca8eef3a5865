/** The site of a host while the server of its next deployment starts. */
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ServerWanted } from '../../../src/platform/servers/servers.ts'
import { createSites, type Sites } from '../../../src/roles/edge/sites.ts'
import { createTakeOvers } from '../../../src/roles/edge/take-overs.ts'
import { deployAsServer } from '../../platform/servers/deploy-as-server.ts'
import { closePools, newPool } from '../../platform/servers/pools.ts'
import { until } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
const open: Sites[] = []

beforeAll(async () => {
  node = await sharedNode()
})

afterEach(async () => {
  for (const sites of open.splice(0)) sites.stop()
  await closePools()
})

async function newPair() {
  const team = await newTeam(node)
  const given = { project: 'web', content: '' }
  const first = await deployAsServer(node, team, { ...given, target: 'production' })
  const next = await deployAsServer(node, team, { ...given, target: 'preview', content: 'next' })
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  const old: ServerWanted = {
    teamId: team.id,
    projectId: project.id,
    deploymentId: first.id,
    target: 'production',
  }
  const [host = ''] = new URL(project.production_url).hostname.split('.')
  return { team, first, next, old, host, projectId: String(project.id) }
}

/** Sites whose second server starts once it is let. */
function newSites() {
  let isFirst = true
  let start = () => {}
  const gate = new Promise<void>((resolve) => {
    start = resolve
  })
  const made = newPool(node, {
    times: { maxMs: 60_000, againMs: 5, settledMs: 5 },
    async before() {
      if (!isFirst) await gate
      isFirst = false
    },
  })
  const sites = createTakeOvers(createSites(node.installation.store, 60_000), made.pool)
  open.push(sites)
  const served = async (host: string) => {
    const site = sites.peek(host)?.value ?? (await sites.get(host))
    return site?.kind === 'files' ? site.deploymentId : undefined
  }
  return { ...made, sites, served, start }
}

it('stays, however often it is forgotten and read anew, until the next server answers', async () => {
  const { team, first, next, old, host, projectId } = await newPair()
  const { lease, sites, served, start } = newSites()
  ;(await lease(old)).end()
  expect(await served(host)).toBe(first.id)
  expect((await team.owner('POST', `/v1/deployments/${next.id}/promote`)).status).toBe(200)
  for (let change = 0; change < 3; change += 1) {
    node.installation.store.changes.publish({ kind: 'project', id: projectId })
    expect(sites.last(host)).toBeUndefined()
    expect(await served(host)).toBe(first.id)
  }
  start()
  await until(async () => (await served(host)) === next.id)
})

it('is the next one at once where no server of it runs', async () => {
  const { team, first, next, host } = await newPair()
  const { served } = newSites()
  expect(await served(host)).toBe(first.id)
  expect((await team.owner('POST', `/v1/deployments/${next.id}/promote`)).status).toBe(200)
  expect(await served(host)).toBe(next.id)
})
