/** The build of a fork's commit, which somebody outside the team wrote. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { knowSecret } from '../../../support/kept-logs.ts'
import { visit } from '../../deployments/steps.ts'
import {
  approve,
  type Connected,
  commitOfFork,
  connect,
  pushOf,
  send,
  sendFork,
  startForgeNodes,
  whenDone,
} from '../../forges/steps.ts'
import { testTimeout } from '../build.ts'
import { linesOf, whenEnded, whenIn } from '../build-node.ts'

vi.setConfig({ testTimeout: 2 * testTimeout })

const secret = 'the-value-of-a-variable'

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  nodes = await startForgeNodes({ SVC_BUILD_NETWORK: 'host' })
  knowSecret('a variable', secret)
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  site = await connect(nodes.node, nodes.forge, { forks: 'approve' })
  const env = [{ key: 'API_SECRET', value: secret }]
  await site.team.owner('PUT', '/v1/projects/web', { env })
})

/** A page with the environment, how often the cache has been written to, and whether the network is there. */
const command = () => {
  const { port } = new URL(nodes.node.apiUrl)
  return [
    'mkdir -p dist .astro',
    'echo x >> .astro/times',
    'env > dist/env.txt',
    'wc -l < .astro/times > dist/times.txt',
    `(bash -c 'echo > /dev/tcp/127.0.0.1/${port}' 2>&1 && echo reached || echo alone) > dist/network.txt`,
    'cp page.txt dist/index.html',
  ].join(' && ')
}

const filesOf = (build_command: string) => ({
  'page.txt': 'page',
  'svc.json': JSON.stringify({ build: { build_command } }),
})

async function buildFork(build: string): Promise<string> {
  const commit = await commitOfFork(nodes.forge, filesOf(build))
  const { delivery } = await sendFork(site, { commit })
  await approve(site, { delivery, commit })
  const { deployment, outcome } = await whenDone(site, delivery)
  expect(outcome).toBe('Deployed.')
  return deployment ?? ''
}

async function buildMain() {
  const commit = await nodes.forge.commit(filesOf(command()))
  const { body } = await send(site, 'push', pushOf(nodes.forge, { commit }))
  const { deployment } = await whenDone(site, body.delivery)
  return whenEnded(site.team, deployment ?? '')
}

const see = async (url: string, path: string) =>
  (await visit(url, path, { authorization: `Bearer ${site.team.ownerKey}` })).body

describe('the build of a fork', () => {
  it('has no variables, no network but registries, and leaves nothing to later builds', async () => {
    const first = await buildMain()
    expect(first).toMatchObject({ state: 'ready', live: true })
    expect(await see(first.url, '/env.txt')).toContain(secret)
    expect(await see(first.url, '/times.txt')).toBe('1\n')
    expect(await see(first.url, '/network.txt')).toBe('reached\n')

    const id = await buildFork(command())
    const made = await whenEnded(site.team, id)
    expect(made).toMatchObject({ state: 'ready', untrusted: true, target: 'preview', live: false })
    expect(made.aliases.join()).toMatch(/\/\/web-pr-7[.-]/)
    for (const url of [made.url, ...made.aliases]) expect((await visit(url)).status, url).toBe(401)
    const env = await see(made.url, '/env.txt')
    expect(env).toContain('SVC_TARGET=preview')
    expect(env).toContain('SVC_META_PULL_REQUEST=7')
    expect(env).not.toContain('API_SECRET')
    expect(env).not.toContain(secret)
    expect(await see(made.url, '/times.txt')).toBe('1\n')
    expect(await see(made.url, '/network.txt')).toContain('alone')
    expect((await linesOf(nodes.node, id)).map(({ text }) => text).join('\n')).not.toMatch(/cache/)

    const second = await buildMain()
    expect(await see(second.url, '/times.txt')).toBe('2\n')
    const { body: project } = await site.team.owner('GET', '/v1/projects/web')
    expect(project.production_deployment).toBe(second.id)
  })

  it('ends with the pull request, whose address it never gets', async () => {
    const id = await buildFork('sleep 500')
    await whenIn(site.team, id, 'building')
    const { delivery } = await sendFork(site, { action: 'closed', commit: 'c'.repeat(40) })
    await whenDone(site, delivery)
    expect(await whenEnded(site.team, id)).toMatchObject({ state: 'canceled', aliases: [] })
    await eventually(async () => {
      const { body } = await site.team.owner('GET', '/v1/deployments?project=web&state=building,queued')
      expect(body.data).toEqual([])
    })
  })
})
