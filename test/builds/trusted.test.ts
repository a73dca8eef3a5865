/** Builds for trusted builders only, without a sandbox. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit } from '../deployments/steps.ts'
import { newTeam } from '../support/team.ts'
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
