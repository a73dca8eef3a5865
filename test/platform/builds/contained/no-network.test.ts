/** Builds without a network say that packages can't be installed: before anything is sent, and after. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { newHome } from '../../../cli/svc.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree } from '../../../support/work-tree.ts'
import { visit } from '../../deployments/steps.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from '../build-node.ts'

vi.setConfig({ testTimeout })

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_NETWORK: 'none' })
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const sentence = /no network here \(SVC_BUILD_NETWORK=none\).*SVC_BUILD_NETWORK=registries/

async function outcomeOf(command: string, fields: Record<string, unknown> = {}) {
  const { id } = await deployBuild(team, command, fields)
  return whenEnded(team, id)
}

it('an install that fails says so, whatever it printed', async () => {
  const ended = await outcomeOf('true', { build: { install_command: 'echo out of sync; false' } })
  expect(ended.error.message).toMatch(sentence)
})

it('a build command says so if its output is about the network', async () => {
  const fetching = 'node -e \'fetch("https://registry.npmjs.org/").catch(({ cause }) => { throw cause })\''
  expect((await outcomeOf(fetching)).error.message).toMatch(sentence)
  expect((await outcomeOf('echo error TS2304; false')).error.message).not.toMatch(sentence)
})

it('package managers do not try again, unless the project says so', async () => {
  await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'PIP_RETRIES', value: '7' }] })
  const { url } = await outcomeOf('mkdir dist && env > dist/index.html')
  const env = (await visit(url)).body.split('\n')
  expect(env).toEqual(expect.arrayContaining(['npm_config_fetch_retries=0', 'PIP_RETRIES=7']))
  expect(env.some((line) => line.startsWith('HTTPS_PROXY='))).toBe(false)
})

const manifest = JSON.stringify({ devDependencies: { vite: '7' } })

it('the command says so before it sends sources', async () => {
  const { home, svc } = await newHome()
  await mkdir(join(home, 'work'), { recursive: true })
  await writeFile(join(home, 'work/package.json'), manifest)
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey, PATH: String(process.env.PATH) }
  const { stderr } = await svc(['deploy', '--project', 'web', '--remote', '--no-wait'], { env })
  expect(stderr).toMatch(sentence)
})

it('a push says so before the log of its build', async () => {
  await team.owner('PUT', '/v1/projects/web')
  const tree = await newWorkTree()
  await tree.commit({ 'package.json': manifest })
  const remote = node.apiUrl.replace('//', `//x:${team.ownerKey}@`).concat(`/git/${team.slug}/web.git`)
  const { ok, said } = await tree.git('push', remote, 'main')
  expect(ok).toBe(false)
  const [first = ''] = said.split('npm install')
  expect(first.replaceAll(/\s*\nremote: /g, ' ')).toMatch(sentence)
  const [{ id }] = (await team.owner('GET', '/v1/deployments')).body.data
  expect((await linesOf(node, id)).map(({ text }) => text)).toContain('$ npm install')
})
