/** Builds for trusted builders only, without a sandbox. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { knowSecret } from '../../support/kept-logs.ts'
import { newTeam } from '../../support/team.ts'
import { zipOf } from '../../support/zip.ts'
import { visit } from '../deployments/steps.ts'
import { testTimeout } from './build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from './build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_SANDBOX: 'none', SVC_STORAGE_FREE: '10000' })
})
afterAll(() => nodes.stop())

it(
  'a build makes a site, and has none of the service’s environment',
  async () => {
    const team = await newTeam(nodes.node)
    const command = 'mkdir dist && cat page.txt > dist/index.html && env'
    const { id } = await deployBuild(team, command)
    const ended = await whenEnded(team, id)
    expect(ended).toMatchObject({ state: 'ready', error: null })
    expect((await visit(ended.url)).body).toBe('hello')
    const log = (await linesOf(nodes.node, id)).map(({ text }) => text).join('\n')
    expect(log).toContain(`SVC_DEPLOYMENT_ID=${id}`)
    expect(log).not.toContain('VITEST')
  },
  testTimeout,
)

it(
  'an output over the team’s quota ends it as storage_quota, and nothing of it is kept',
  async () => {
    const team = await newTeam(nodes.node)
    const command = 'mkdir dist && head -c 6000 /dev/zero > dist/a && head -c 5000 /dev/zero > dist/b'
    const { id } = await deployBuild(team, command)
    const { state, error } = await whenEnded(team, id)
    expect({ state, reason: error.reason }).toEqual({ state: 'error', reason: 'storage_quota' })
    expect(error.message).toContain('No space for 11000 more bytes')
    const { storage } = (await team.owner('GET', '/v1/overview')).body
    expect(storage).toEqual({ used_bytes: 'hello'.length, limit_bytes: 10_000 })
  },
  testTimeout,
)

it(
  'where it made a site elsewhere, its directory is named, and none that its sources have',
  async () => {
    const team = await newTeam(nodes.node)
    await team.owner('PUT', '/v1/projects/web', {
      build: { build_command: 'mkdir www && cp page.txt www/index.html' },
    })
    const files = ['docs/index.html', 'page.txt'].map((path) => ({ path, content: 'hello' }))
    const { id } = (await team.owner('POST', '/v1/deployments', { project: 'web', files })).body
    const { error } = await whenEnded(team, id)
    expect(error.message).toContain('set output_directory to "www", where it made a page.')
  },
  testTimeout,
)

it(
  'warns of what was left out of its sources, and of what looks wrong in its output',
  async () => {
    const team = await newTeam(nodes.node)
    const build_command = "mkdir dist && cp page.txt dist && echo 'https://a.example/* /' > dist/_redirects"
    await team.owner('PUT', '/v1/projects/web', { build: { build_command } })
    knowSecret('a credential', team.ownerKey)
    const sources = [
      { path: 'page.txt', content: 'hello' },
      { path: '.env', content: 'A=1' },
      { path: '_redirects', content: 'https://b.example/* /' },
    ]
    const response = await fetch(`${nodes.node.apiUrl}/v1/deployments?project=web`, {
      method: 'POST',
      headers: { authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/zip' },
      body: zipOf(sources),
    })
    const queued = z.object({ id: z.string(), warnings: z.unknown() }).parse(await response.json())
    const leftOut = { path: '.env', message: 'is never deployed, and was left out.' }
    expect(queued.warnings).toEqual([leftOut])
    expect(await whenEnded(team, queued.id)).toMatchObject({
      state: 'ready',
      warnings: [
        leftOut,
        {
          path: '_redirects',
          line: 1,
          message: expect.stringContaining('https://a.example/* is passed over'),
        },
        { message: expect.stringContaining('no index.html') },
      ],
    })
  },
  testTimeout,
)

it(
  'the error of a long command has its beginning',
  async () => {
    const team = await newTeam(nodes.node)
    const { id } = await deployBuild(team, `exit 3 # ${'x'.repeat(1_000)}`)
    const { error } = await whenEnded(team, id)
    expect(error.message).toMatch(/^`exit 3 # x+…` ended with exit code 3; see the log for its output\.$/)
    expect(error.message.length).toBeLessThan(200)
  },
  testTimeout,
)

it(
  'a build has the package manager that its sources name, and what it lacks is named',
  async () => {
    const team = await newTeam(nodes.node)
    await team.owner('PUT', '/v1/projects/web')
    const files = [{ path: 'package.json', content: '{"packageManager":"pnpm@10.27.0"}' }]
    const build = { build_command: 'command -v pnpm; program-of-nobody' }
    const { id } = (await team.owner('POST', '/v1/deployments', { project: 'web', files, build })).body
    const { error } = await whenEnded(team, id)
    expect(error.message).toMatch(/program-of-nobody is not on the node that builds, and nothing was/)
    const log = (await linesOf(nodes.node, id)).map(({ text }) => text).join('\n')
    expect(log).toMatch(/\/home\/\.svc\/bin\/pnpm$/m)
  },
  testTimeout,
)
