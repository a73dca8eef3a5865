/** A deployment with a build command: from its sources to the served site, or to an error with the reason. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { events } from '../../../../src/stores/db/schema/events.ts'
import { manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from '../build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes()
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const toDist = 'mkdir dist && cat page.txt > dist/index.html'

async function outcomeOf(command: string, fields: Record<string, unknown> = {}) {
  const { id } = await deployBuild(team, command, fields)
  return whenEnded(team, id)
}

/** The deployment's events in the team's log, in order. */
async function eventsOf(id: string): Promise<string[]> {
  const { db } = node.installation.store
  const rows = await db.select().from(events).where(eq(events.deploymentId, id)).orderBy(asc(events.id))
  return rows.map(({ type }) => type)
}

describe('a deployment with a build command', { timeout: testTimeout }, () => {
  it('is queued at once, and then serves the build’s output', async () => {
    const created = await deployBuild(team, toDist)
    expect(created).toMatchObject({
      state: 'queued',
      queue_position: 1,
      building_ms: null,
      files: 1,
      bytes: 5,
    })
    const ended = await whenEnded(team, created.id)
    expect(ended).toMatchObject({
      id: created.id,
      state: 'ready',
      queue_position: null,
      error: null,
      live: false,
      files: 1,
      bytes: 5,
    })
    expect(ended.building_ms).toBeGreaterThanOrEqual(created.created_ms)
    expect(ended.ready_ms).toBe(ended.ended_ms)
    expect(await visit(ended.url)).toEqual({ status: 200, body: 'hello' })
    expect((await visit(ended.url, '/page.txt')).status).toBe(404)
    expect(await eventsOf(ended.id)).toEqual(['deployment.created', 'deployment.ready'])
  })

  it('keeps its sources, and leaves no workspace', async () => {
    const { id } = await outcomeOf(toDist)
    const { db } = node.installation.store
    const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
    expect(row).toMatchObject({ worker: null, leaseUntilMs: null, attempts: 1 })
    const kept = await db.select().from(manifests).where(eq(manifests.teamId, team.id))
    expect(kept.map(({ id, releasedMs }) => [id, releasedMs]).sort()).toEqual([
      [row?.sourceManifestId, null],
      [row?.manifestId, null],
    ])
    expect(await readdir(join(node.settings.SVC_DATA_DIR, 'builds'))).toEqual([])
  })

  it('is built with its project’s settings, in its root directory', async () => {
    const build = {
      install_command: 'echo installed > done.txt',
      build_command: 'mkdir out && cat done.txt page.txt > out/index.html',
      root_directory: 'app',
      output_directory: 'out',
    }
    await team.owner('PUT', '/v1/projects/web', { build })
    const { body } = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [{ path: 'app/page.txt', content: 'page' }],
    })
    expect((await whenEnded(team, body.id)).state).toBe('ready')
    expect((await visit(body.url)).body).toBe('installed\npage')
  })

  it('builds a site from the example', async () => {
    const paths = ['build.mjs', 'pages/index.txt', 'pages/about.txt']
    const files = paths.map(async (path) => ({
      path,
      content: await readFile(join('examples/built', path), 'utf8'),
    }))
    const ended = await outcomeOf('node build.mjs', {
      files: await Promise.all(files),
      meta: { commit: '4f0c2d1' },
    })
    expect(ended).toMatchObject({ state: 'ready', files: 2 })
    expect((await visit(ended.url)).body).toContain('<h1>A site that is built</h1>')
    expect((await visit(ended.url, '/about')).body).toContain('web, built for preview from 4f0c2d1')
  })

  it('an install command alone does not start a build', async () => {
    const build = { build_command: null, install_command: 'exit 1' }
    expect(await outcomeOf('', { build })).toMatchObject({ state: 'ready', files: 1 })
  })

  it('the _redirects and _headers of the output apply, not those of the sources', async () => {
    const made = await outcomeOf(`${toDist}; echo "/old /page" > dist/_redirects`, {
      files: [
        { path: 'page.txt', content: 'hello' },
        { path: '_redirects', content: 'this is no rule of anything' },
      ],
    })
    expect(made.state).toBe('ready')
    expect((await visit(made.url, '/old')).status).toBe(302)
  })

  it('the log distinguishes steps, commands and their output', async () => {
    const { id } = await outcomeOf(`echo out; echo error: old >&2; echo warning: new; ${toDist}`, {
      build: { install_command: 'echo first' },
    })
    const lines = await linesOf(node, id)
    const texts = lines.map(({ text }) => text)
    expect(texts.filter((text) => text !== 'error: old')).toEqual([
      'Installing…',
      '$ echo first',
      'first',
      'No cache yet.',
      'Building…',
      `$ echo out; echo error: old >&2; echo warning: new; ${toDist}`,
      'out',
      'warning: new',
      'Deploying 1 file…',
      expect.stringMatching(/^Done in \d+\.\d s\.$/),
    ])
    const levelOf = (wanted: string) => lines.find(({ text }) => text === wanted)?.level
    expect(['out', 'error: old', 'warning: new'].map(levelOf)).toEqual(['info', 'error', 'warn'])
    expect(lines.every(({ kind }) => kind === 'build')).toBe(true)
  })

  it('long logs are kept whole, in order', async () => {
    const { id } = await outcomeOf(`seq 1 3000; ${toDist}`)
    const numbers = (await linesOf(node, id)).map(({ text }) => Number(text)).filter((number) => number > 0)
    expect(numbers).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1))
  })
})

describe('a build that fails', { timeout: testTimeout }, () => {
  const failed = (message: unknown) => ({
    state: 'error',
    error: { reason: 'build_failed', message },
    live: false,
  })

  it('is an error with the exit code, which its last log line has, too', async () => {
    const ended = await outcomeOf('echo broken; exit 3', { target: 'production' })
    const message = '`echo broken; exit 3` ended with exit code 3; see the log for its output.'
    expect(ended).toMatchObject(failed(message))
    expect(ended.ended_ms).toBeGreaterThanOrEqual(ended.building_ms)
    expect(ended.ready_ms).toBeNull()
    expect((await linesOf(node, ended.id)).slice(-2).map(({ text }) => text)).toEqual(['broken', message])
    expect((await visit(ended.url)).status).toBe(404)
    expect(await eventsOf(ended.id)).toEqual(['deployment.created', 'deployment.error'])
  })

  it('is an error if installing fails, without running the build command', async () => {
    const ended = await outcomeOf('echo not here', { build: { install_command: 'false' } })
    expect(ended).toMatchObject(failed(expect.stringContaining('`false` ended with exit code 1')))
    expect((await linesOf(node, ended.id)).map(({ text }) => text)).not.toContain('not here')
  })

  it.each([
    ['there is no output directory', 'true', /created no directory "dist"/],
    ['it is empty', 'mkdir dist', /left no files in the directory "dist"/],
    ['the output has an invalid rule', `${toDist}; echo "/a" > dist/_redirects`, /_redirects, line 1/],
    [
      'the output links to the host',
      `${toDist}; ln -s /etc/passwd dist/passwd`,
      /leads to no file of the build/,
    ],
    ['it is killed', 'kill -9 $$', /was ended by SIGKILL/],
    [
      'it needs a host that is no registry',
      'npm view left-pad --registry=https://example.com/ --fetch-retries=0',
      /Refused: example\.com:443 is not in SVC_BUILD_HOSTS\./,
    ],
  ])('is an error with the reason when %s', async (_, command, message) => {
    expect(await outcomeOf(command)).toMatchObject(failed(expect.stringMatching(message)))
  })

  it('is an error if the root directory is not among the files', async () => {
    const ended = await outcomeOf('true', { build: { root_directory: 'app' } })
    expect(ended).toMatchObject(failed(expect.stringContaining('There is no directory "app"')))
  })
})

describe('the environment of a build', { timeout: testTimeout }, () => {
  const print = 'mkdir dist && env | sort > dist/index.html'

  async function envOf(
    target: 'production' | 'preview',
    more: Record<string, string> = {},
  ): Promise<string[]> {
    const meta = { 'commit-sha': '4f0c', quote: "it's $HOME", ...more }
    const ended = await outcomeOf(print, { target, meta })
    expect(ended.state).toBe('ready')
    return (await visit(ended.url)).body.split('\n')
  }

  it('has the variables of its target only, and the deployment’s metadata', async () => {
    await team.owner('PUT', '/v1/projects/web', {
      env: [
        { key: 'WHERE', value: 'in production', target: ['production'] },
        { key: 'WHERE', value: 'in preview', target: ['preview'] },
        { key: 'ONLY_LIVE', value: 'live-secret', target: ['production'] },
        { key: 'SVC_TARGET', value: 'a lie' },
      ],
    })
    const production = await envOf('production')
    expect(production).toEqual(
      expect.arrayContaining([
        'WHERE=in production',
        'ONLY_LIVE=live-secret',
        'CI=1',
        'SVC_PROJECT=web',
        'SVC_TARGET=production',
        'SVC_META_COMMIT_SHA=4f0c',
        "SVC_META_QUOTE=it's $HOME",
      ]),
    )
    const preview = await envOf('preview')
    expect(preview).toContain('WHERE=in preview')
    expect(preview.join('\n')).not.toContain('live-secret')
    expect(preview.join('\n')).not.toContain('DATABASE_URL')
  })

  it('has the values of its branch, in a preview alone', async () => {
    await team.owner('PUT', '/v1/projects/web', {
      env: [
        { key: 'WHERE', value: 'everywhere' },
        { key: 'WHERE', value: 'in next', branch: 'next' },
        { key: 'ONLY_NEXT', value: 'secret of next', branch: 'next' },
        { key: 'ONLY_OTHER', value: 'secret of other', branch: 'other' },
      ],
    })
    const preview = await envOf('preview', { branch: 'next' })
    expect(preview).toEqual(expect.arrayContaining(['WHERE=in next', 'ONLY_NEXT=secret of next']))
    expect(preview.join()).not.toContain('secret of other')
    for (const apart of [await envOf('production', { branch: 'next' }), await envOf('preview')]) {
      expect(apart).toContain('WHERE=everywhere')
      expect(apart.join()).not.toContain('secret of')
    }
  })

  it('is not in the log, even if a command prints it', async () => {
    await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'TOKEN', value: 'very-secret-token' }] })
    const { id } = await outcomeOf(`echo "is $TOKEN"; echo very-secret-token >&2; ${toDist}`)
    const text = (await linesOf(node, id)).map(({ text }) => text).join('\n')
    expect(text).toContain('is [redacted]')
    expect(text).not.toContain('very-secret-token')
    expect(node.logged.join('\n')).not.toContain('very-secret-token')
  })
})
