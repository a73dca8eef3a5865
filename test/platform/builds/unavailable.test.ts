/** A host that cannot isolate builds runs none, and refuses deployments that need one. */

import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { createBuildQueue } from '../../../src/platform/builds/build-queue.ts'
import type { BuildDeps } from '../../../src/platform/builds/run-build.ts'
import { createDeployment } from '../../../src/platform/deployments/create-deployment.ts'
import { checkSandbox } from '../../../src/platform/sandbox/availability.ts'
import { createUids } from '../../../src/platform/sandbox/uids.ts'
import { createKnownBlobs } from '../../../src/stores/blobs/known-blobs.ts'
import { createDiskReserve, unreserved } from '../../../src/stores/data-dir/disk-reserve.ts'
import { noKeyLimits } from '../../support/limits.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { ownNode } from '../sandbox/own-node.ts'
import { serverDeps } from '../servers/server.ts'
import { deployBuild, linesOf, startBuildNodes } from './build-node.ts'

const uids = createUids()
const problem = 'Builds need bwrap, which is not there: install it.'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_ROLES: 'api,edge' })
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const noLimits = { free: 0, pro: 0, enterprise: 0 }
const caps = { maxFiles: 10, maxFileBytes: 1_000, maxDeploymentBytes: 1_000 }

it('400 builds_not_available, and nothing is created, if the node can’t run its builds', async () => {
  await team.owner('PUT', '/v1/projects/web')
  const { store, blobs, keys } = node.installation
  const principal = {
    kind: 'key',
    keyLimits: noKeyLimits,
    keyId: 'key_1',
    userId: team.ownerId,
    teamId: team.id,
    teamSlug: team.slug,
    plan: 'free',
    projects: null,
    prefix: 'svc_abc…',
    role: 'owner',
  } as const
  const creating = createDeployment(
    {
      store,
      blobs,
      caps,
      storage: noLimits,
      apiUrl: node.apiUrl,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      uploadKey: keys.uploads,
      knownBlobs: createKnownBlobs(),
      nowMs: Date.now,
      buildProblem: async () => problem,
      maxQueuedBuilds: 1,
    },
    { principal, address: '127.0.0.1', requestId: 'req_1' },
    {
      project: 'web',
      target: 'preview',
      meta: {},
      build: { build_command: 'true' },
      files: [{ path: 'page.txt', content: 'hello' }],
    },
  )
  await expect(creating).rejects.toMatchObject({ reason: 'builds_not_available', message: problem })
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
})

/** What becomes of a build that a worker takes which is like this. */
async function buildBy(worker: Partial<BuildDeps>) {
  const { id } = await deployBuild(team, 'echo never')
  const { store, blobs, keys } = node.installation
  const queue = createBuildQueue(
    {
      store,
      blobs,
      caps,
      storage: noLimits,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      envKey: keys.env,
      nowMs: Date.now,
      disk: unreserved,
      isolation: 'bubblewrap',
      node: ownNode,
      servers: await serverDeps(),
      uids,
      network: 'none',
      untrustedNetwork: 'none',
      buildProblem: async () => undefined,
      caches: undefined,
      buildCaps: { timeoutS: 10, memoryBytes: 1, diskBytes: 1 },
      root: join(inject('directory'), 'no-builds'),
      log: createLogger({ write: () => {} }),
      ...worker,
    },
    { concurrency: 1 },
  )
  const [job] = await queue.claim(1)
  if (!job) throw new Error('Nothing was taken.')
  await queue.run(job, new AbortController().signal)
  const { body } = await team.owner('GET', `/v1/deployments/${id}`)
  return { body, lines: (await linesOf(node, id)).map(({ text }) => text) }
}

it('a worker that cannot run builds ends the deployment with that reason', async () => {
  const { body, lines } = await buildBy({ buildProblem: async () => problem })
  expect(body).toMatchObject({ state: 'error', error: { reason: 'builds_not_available', message: problem } })
  expect(lines).toEqual([problem])
})

it('a worker whose disk is nearly full ends it with that reason, and makes no workspace', async () => {
  const root = join(inject('directory'), randomUUID())
  const { body, lines } = await buildBy({ disk: createDiskReserve(inject('directory'), 1024 ** 5), root })
  expect(body).toMatchObject({ state: 'error', error: { reason: 'disk_full' } })
  expect(lines).toEqual([expect.stringContaining('The disk of the node that builds is nearly full.')])
  await expect(access(root)).rejects.toThrow('ENOENT')
})

it('nothing is required if all builders are trusted, but servers need the sandbox', async () => {
  const log = createLogger({ write: () => {} })
  const probed = { network: 'none', root: '/nowhere', uids, node: ownNode } as const
  const { builds, servers } = checkSandbox({ isolation: 'none', ...probed, log })
  expect(await builds()).toBeUndefined()
  expect(await servers()).toContain('SVC_BUILD_SANDBOX=none')
})

it('is in the node’s log, for its operator', async () => {
  const lines: string[] = []
  const log = createLogger({ write: (line) => void lines.push(line) })
  // A file, in which no workspace can be created.
  const { builds, servers } = checkSandbox({
    isolation: 'bubblewrap',
    network: 'none',
    root: '/etc/passwd',
    uids,
    node: ownNode,
    log,
  })
  expect(await builds()).toMatch(/^Builds can't run .* set SVC_BUILD_SANDBOX=none\.$/)
  expect(await servers()).toMatch(/^Servers can't run .* lets it mount\)\.$/)
  expect(lines.join('')).toContain('Builds and servers are off on this node.')
})
