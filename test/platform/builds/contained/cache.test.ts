/** What a build finds of the builds before it: packages, downloads, and the caches of frameworks. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { createBuildQueue } from '../../../../src/platform/builds/build-queue.ts'
import { type CacheStore, openCacheStore } from '../../../../src/platform/builds/cache/store.ts'
import { capsOf } from '../../../../src/platform/deployments/caps.ts'
import { storageLimitsOf } from '../../../../src/platform/limits/limits-from-settings.ts'
import { createUids } from '../../../../src/platform/sandbox/uids.ts'
import { unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { ownNode } from '../../sandbox/own-node.ts'
import { type NpmRegistry, registryName, startNpmRegistry } from '../../sandbox/registries/npm-registry.ts'
import { serverDeps } from '../../servers/server.ts'
import { mebibyte, testTimeout } from '../build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from '../build-node.ts'

vi.setConfig({ testTimeout })

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let registry: NpmRegistry
let team: TestTeam
let caches: CacheStore

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_ROLES: 'api,edge' })
  ;({ node } = nodes)
  registry = await startNpmRegistry()
})
afterAll(async () => {
  registry.close()
  await nodes.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
  caches = await openCacheStore(join(inject('directory'), randomUUID()), {
    teamBytes: 64 * mebibyte,
    disk: unreserved,
  })
})
afterEach(() => caches.close())

/** A project with one package, and what its lock file says of it. */
function sources(version = '1.0.0'): { path: string; content: string }[] {
  const dependencies = { greeting: '^1.0.0' }
  const resolved = `https://${registryName}:${registry.port}/greeting-1.0.0.tgz`
  const packages = {
    '': { name: 'site', version, dependencies },
    'node_modules/greeting': { version: '1.0.0', resolved, integrity: registry.integrity },
  }
  const lock = { name: 'site', version, lockfileVersion: 3, requires: true, packages }
  return [
    {
      path: '.npmrc',
      content: `registry=https://${registryName}:${registry.port}/\ncafile=ca.pem\nfetch-retries=0\n`,
    },
    { path: 'ca.pem', content: registry.ca },
    { path: 'package.json', content: JSON.stringify({ name: 'site', version, dependencies }) },
    { path: 'package-lock.json', content: JSON.stringify(lock) },
  ]
}

/** Uses the package, and lengthens a file of a framework's cache with each build. */
const command = [
  'mkdir -p dist node_modules/.cache',
  'echo built >> node_modules/.cache/times',
  'node -p "require(\'greeting\')" > dist/index.html',
  'echo "times $(wc -l < node_modules/.cache/times)"',
].join(' && ')

/** Deploys, builds, and resolves to the end and to the lines of the log. */
async function buildOnce({
  after = '',
  files = sources(),
}: {
  files?: unknown
  after?: string
} = {}): Promise<{ state: string; lines: string[] }> {
  const { id } = await deployBuild(team, command + after, {
    build: { install_command: 'npm ci' },
    files,
    target: 'production',
  })
  const { store, blobs, keys } = node.installation
  const network = {
    hosts: [{ name: registryName, port: registry.port }],
    resolve: async () => ['127.0.0.1'],
    allowPrivate: true,
  }
  const { sitesUrl, certifiedUrl, settings } = node
  const queue = createBuildQueue(
    {
      store,
      blobs,
      caches,
      disk: unreserved,
      sitesUrl,
      certifiedUrl,
      caps: capsOf(settings),
      storage: storageLimitsOf(settings),
      envKey: keys.env,
      nowMs: Date.now,
      isolation: 'bubblewrap',
      node: ownNode,
      servers: await serverDeps(),
      uids: createUids(),
      network,
      untrustedNetwork: network,
      buildProblem: async () => undefined,
      buildCaps: { timeoutS: 100, memoryBytes: 1024 * mebibyte, diskBytes: 256 * mebibyte },
      root: join(inject('directory'), 'workspaces'),
      log: createLogger({ write: () => {} }),
    },
    { concurrency: 1 },
  )
  const [job] = await queue.claim(1)
  if (!job || job.id !== id) throw new Error('Another build was claimed.')
  await queue.run(job, new AbortController().signal)
  const { state } = await whenEnded(team, id)
  return { state, lines: (await linesOf(node, id)).map(({ text }) => text) }
}

const restored = (what: string) =>
  expect.stringMatching(new RegExp(`^Restored the ${what} of production \\(\\d+ MB\\)`))
const saved = expect.stringMatching(/^Saved the cache \(\d+ MB\)\.$/)

describe('the second build of a project', () => {
  it('has the packages and the cache of the first, and installs nothing', async () => {
    const first = await buildOnce()
    expect(first.state).toBe('ready')
    expect(first.lines).toEqual(expect.arrayContaining(['No cache yet.', '$ npm ci', 'times 1', saved]))
    const before = registry.downloads()
    const second = await buildOnce()
    expect(second.state).toBe('ready')
    expect(second.lines).toEqual(
      expect.arrayContaining([restored('packages'), restored('build cache'), 'times 2', saved]),
    )
    expect(second.lines).not.toContain('$ npm ci')
    expect(registry.downloads()).toBe(before)
    expect((await buildOnce()).lines).toContain('times 3')
  })

  it('installs again after a change of the lock file, from the downloads of the first', {
    tags: 'long',
  }, async () => {
    await buildOnce()
    const before = registry.downloads()
    const { state, lines } = await buildOnce({ files: sources('1.0.1') })
    expect(state).toBe('ready')
    expect(lines).toEqual(expect.arrayContaining([restored('downloads'), '$ npm ci', 'times 2', saved]))
    expect(registry.downloads()).toBe(before)
  })

  it('has the packages as they were installed, whatever was built with them', { tags: 'long' }, async () => {
    const spoil = ' && echo "module.exports = 1" > node_modules/greeting/index.js && rm -rf node_modules/.bin'
    await buildOnce({ after: spoil })
    const { lines } = await buildOnce({ after: ' && cat node_modules/greeting/index.js' })
    expect(lines).toEqual(expect.arrayContaining([restored('packages'), "module.exports = 'hello'"]))
  })

  it('installs again once a build with the packages of the first has failed', { tags: 'long' }, async () => {
    await buildOnce()
    const { lines } = await buildOnce({ after: ' && exit 1' })
    expect(lines).toContain('The next build installs the packages again.')
    expect((await buildOnce()).lines).toEqual(expect.arrayContaining(['$ npm ci', 'times 2']))
  })
})
