/** `svc metrics`. */
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deploy } from '../platform/deployments/steps.ts'
import { sendRequest } from '../roles/edge/client.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
})

/** The values that a run without a terminal prints. */
const valuesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.split('\t')[1] ?? [])

describe('svc metrics', () => {
  it('prints a step per line, of the whole team or of one project', async () => {
    const { url } = await deploy(team)
    const { port } = new URL(node.sitesUrl)
    for (let index = 0; index < 3; index += 1) await sendRequest(Number(port), new URL(url).host, '/')
    const read = async (...args: string[]) => (await svc(['metrics', ...args])).stdout
    const sum = (stdout: string) => valuesOf(stdout).reduce((total, value) => total + Number(value), 0)
    await expect.poll(async () => sum(await read()), { timeout: 10_000 }).toBe(3)
    expect(sum(await read('web', '--metric', 'bytes', '--since', '1h', '--step', '1m'))).toBe(3 * 5)
    expect(sum(await read('web', '--metric', 'errors'))).toBe(0)
    const latencies = valuesOf(await read('web', '--metric', 'latency_p95', '--since', '10m', '--step', '1m'))
    expect(latencies.map(Number)).toEqual([expect.any(Number)])
    await team.owner('PUT', '/v1/projects/other')
    expect(sum(await read('other'))).toBe(0)
  })

  it('in a linked directory is of that project, which stderr names; of all with --all', async () => {
    for (const name of ['web', 'other']) await team.owner('PUT', `/v1/projects/${name}`)
    const { svc: run, home } = await newHome()
    const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
    const cwd = join(home, 'work')
    await run(['link', 'web'], { env, cwd })
    const said = async (...args: string[]) => (await run(['metrics', ...args], { env, cwd })).stderr
    expect(await said()).toMatch(
      /^Of the project web, as svc.json says; --all is of all projects.\nweb: no req/,
    )
    expect(await said('--json')).toBe('Of the project web, as svc.json says; --all is of all projects.\n')
    expect(await said('--all')).toMatch(/^all projects: no requests/)
    expect(await said('other', '--metric', 'responses_404')).toMatch(/^other: no responses of 404/)
  })

  it('prints the API’s response with --json', async () => {
    const { stdout } = await svc(['metrics', '--since', '2h', '--step', '1h', '--json'])
    const { points, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({ metric: 'requests', unit: 'requests', step_ms: 3_600_000 })
    expect(points.at(-1)).toEqual([expect.any(Number), 0])
  })

  it.each([
    [['nothing'], 4, 'The team has no project nothing.'],
    [['web', '--all'], 2, 'Pass either --all or a project.'],
    [['--metric', 'visitors'], 2, 'Allowed choices are requests, bytes, errors'],
    [['--since', 'yesterday'], 2, 'It should be like 90s, 15m, 1h, 7d'],
    [['--step', '1w'], 2, 'It should be like 5m, 1h, 1d.'],
    [['--step', '30s'], 2, 'step_ms'],
  ])('%j ends with %i', async (args, code, message) => {
    const outcome = await svc(['metrics', ...args])
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })
})
