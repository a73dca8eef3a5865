/** `svc deploy` of a project with a build: it shows the build's progress, and how it ended. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newHome } from '../../../cli/svc.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { testTimeout } from '../build.ts'
import { startBuildNodes, whenEnded } from '../build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes()
  team = await newTeam(nodes.node)
})
afterAll(() => nodes.stop())

/** Deploys a page that `command` builds. */
async function deploy(command: string, ...args: string[]) {
  await team.owner('PUT', '/v1/projects/web', { build: { build_command: command } })
  const { home, svc } = await newHome()
  const site = join(home, 'site')
  await mkdir(site)
  await writeFile(join(site, 'page.txt'), 'hello')
  return svc(['deploy', site, '--project', 'web', ...args], { env: environment() })
}

const environment = () => ({
  SVC_URL: nodes.node.apiUrl,
  SVC_TOKEN: team.ownerKey,
  PATH: String(process.env.PATH),
})

const toDist = 'mkdir dist && cp page.txt dist/index.html'

describe('svc deploy of a project that builds', { timeout: testTimeout }, () => {
  it('waits for the site, and prints its URL', async () => {
    const { code, stdout, stderr } = await deploy(`sleep 3; ${toDist}`, '--prod')
    expect(code).toBe(0)
    const lines = [
      /Reading 1 file, 5 B/,
      /dpl_\w+: queued, 0 ahead…/,
      /dpl_\w+: building…/,
      /Building…/,
      /\$ sleep 3; mkdir .*/,
      /Deploying 1 file…/,
      /Done in [\d.]+ s\./,
      /dpl_\w+: 1 file, 5 B, live\./,
    ]
    expect(stderr).toMatch(new RegExp(`^${lines.map(({ source }) => `${source}\n`).join('')}$`))
    expect((await visit(stdout.trim())).body).toBe('hello')
  })

  it('exits with 1, the reason and the lines that say why if the build fails', async () => {
    const { code, stdout, stderr } = await deploy('echo Reading; echo error: no posts >&2; exit 7')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/svc: dpl_\w+: build_failed: `.*` ended with exit code 7.*\nerror: no posts\n$/)
    const [id = ''] = /dpl_\w+/.exec(stderr) ?? []
    const { svc } = await newHome()
    const printed = (await svc(['deployments', 'show', id], { env: environment() })).stdout
    expect(printed.match(/^error\t.*/gm)).toEqual([
      expect.stringContaining('ended with exit code 7'),
      'error\terror: no posts',
    ])
  })

  it('returns the reason as JSON for scripts', async () => {
    const { code, stderr } = await deploy('echo error: no posts; exit 7', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ reason: 'build_failed', items: ['error: no posts'] })
  })

  it('does not wait with --no-wait', async () => {
    const { code, stdout } = await deploy(toDist, '--no-wait', '--json')
    expect(code).toBe(0)
    const { id, state } = JSON.parse(stdout)
    expect(['queued', 'building']).toContain(state)
    expect((await whenEnded(team, id)).state).toBe('ready')
  })
})
