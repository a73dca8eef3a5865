/** The build caches of a node: what builds find of those before them, and where it is. */
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from '../build-node.ts'

vi.setConfig({ testTimeout })

type Nodes = Awaited<ReturnType<typeof startBuildNodes>>

const start = (environment: Record<string, string> = {}) =>
  startBuildNodes({ SVC_BUILD_SANDBOX: 'none', ...environment })

/** Lengthens a file of a framework's cache, and prints its length. */
const command =
  'mkdir -p dist .astro && echo x >> .astro/times && cp .astro/times dist && echo $(wc -l < dist/times)'

type Fields = { target?: string; meta?: Record<string, string>; after?: string }

async function buildOnce(
  { node }: Nodes,
  team: TestTeam,
  { after = '', target = 'production', meta = {} }: Fields = {},
): Promise<{ state: string; lines: string[] }> {
  const { id } = await deployBuild(team, command + after, { target, meta })
  const { state } = await whenEnded(team, id)
  return { state, lines: (await linesOf(node, id)).map(({ text }) => text) }
}

const rootOf = ({ node }: Nodes) => join(node.settings.SVC_DATA_DIR, 'build-cache')
const saved = 'Saved the cache (1 MB).'
const restored = (of: string) => `Restored the build cache of ${of} (1 MB).`

describe('a build', () => {
  let nodes: Nodes
  let team: TestTeam

  beforeAll(async () => {
    nodes = await start()
  })
  afterAll(() => nodes.stop())
  beforeEach(async () => {
    team = await newTeam(nodes.node)
  })

  const build = (fields?: Fields) => buildOnce(nodes, team, fields)
  const onNext = { target: 'preview', meta: { branch: 'next' } }

  it('finds the cache of the one before, in the data directory, by team and project', async () => {
    expect((await build()).lines).toEqual(expect.arrayContaining(['1', saved]))
    expect((await build()).lines).toEqual(expect.arrayContaining([restored('production'), '2', saved]))
    const { body: project } = await team.owner('GET', '/v1/projects/web')
    expect(await readdir(join(rootOf(nodes), team.id, project.id, 'production'))).toEqual(['results'])
  })

  it('finds nothing of one that failed', async () => {
    expect((await build({ after: ' && exit 1' })).state).toBe('error')
    expect((await build()).lines).toContain('1')
  })

  it('for a preview finds the cache of production, and then that of its branch', {
    tags: 'long',
  }, async () => {
    await build()
    expect((await build(onNext)).lines).toEqual(expect.arrayContaining([restored('production'), '2', saved]))
    expect((await build(onNext)).lines).toEqual(expect.arrayContaining([restored('next'), '3', saved]))
  })

  it('for production or another branch finds nothing of a preview', async () => {
    await build(onNext)
    expect((await build()).lines).toContain('1')
    const other = await build({ target: 'preview', meta: { branch: 'other' } })
    expect(other.lines).toEqual(expect.arrayContaining([restored('production'), '2']))
  })

  it('for a preview of no branch leaves nothing', { tags: 'long' }, async () => {
    const { state, lines } = await build({ target: 'preview' })
    expect(state).toBe('ready')
    expect(lines).not.toContain(saved)
    expect((await build()).lines).toContain('1')
  })

  it('finds and leaves nothing where the project’s SVC_NO_CACHE is 1', { tags: 'long' }, async () => {
    await build()
    await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'SVC_NO_CACHE', value: '1' }] })
    const { state, lines } = await build()
    expect(state).toBe('ready')
    expect(lines).toEqual(expect.arrayContaining(['Built without the cache: SVC_NO_CACHE is 1.', '1']))
    expect(lines).not.toContain(saved)
  })
})

describe('a node with SVC_BUILD_CACHE_BYTES=0', () => {
  it('keeps nothing of a build', async () => {
    const nodes = await start({ SVC_BUILD_CACHE_BYTES: '0' })
    try {
      const team = await newTeam(nodes.node)
      for (const { lines } of [await buildOnce(nodes, team), await buildOnce(nodes, team)]) {
        expect(lines).toContain('1')
        expect(lines).not.toContain(saved)
      }
      await expect(access(rootOf(nodes))).rejects.toThrow('ENOENT')
    } finally {
      await nodes.stop()
    }
  })
})
