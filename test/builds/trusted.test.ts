/** Builds where all builders are trusted, without a sandbox. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit } from '../deployments/steps.ts'
import { newTeam } from '../support/team.ts'
import { testTimeout } from './build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from './build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_SANDBOX: 'none' })
})
afterAll(() => nodes.stop())

it(
  'a build makes a site, and has nothing of the environment of the service',
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
  'of a long command the error has the beginning',
  async () => {
    const team = await newTeam(nodes.node)
    const { id } = await deployBuild(team, `exit 3 # ${'x'.repeat(1_000)}`)
    const { error } = await whenEnded(team, id)
    expect(error.message).toMatch(/^`exit 3 # x+…` ended with exit code 3; the log has what it printed\.$/)
    expect(error.message.length).toBeLessThan(200)
  },
  testTimeout,
)
