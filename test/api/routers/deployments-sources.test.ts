/** Files that are sent over REST are served as they are; a warning says that they look like sources. */
import { beforeAll, expect, it } from 'vitest'
import { byDigest, deploy, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const reason = 'sources_without_site'
const vite = JSON.stringify({ devDependencies: { vite: '7' }, scripts: { build: 'vite build' } })
const index = { path: 'index.html', content: 'source' }

const warned = (warnings: { reason?: string }[]) => warnings.filter((warning) => warning.reason === reason)

it.each([
  [
    'of a framework',
    [index, { path: 'package.json', content: vite }],
    'These are sources for Vite, built with',
  ],
  ['with a byte order mark', [index, { path: 'package.json', content: `\uFEFF${vite}` }], 'sources for Vite'],
  [
    'with a manifest that is no JSON',
    [index, { path: 'package.json', content: '{' }],
    'package.json is not JSON',
  ],
  ['of no known framework', [{ path: 'go.mod', content: '' }], 'go.mod is there, and there is no index.html'],
])('sources %s', async (_what, files, message) => {
  const { url, warnings } = await deploy(await newTeam(node), { files })
  expect(warned(warnings)).toEqual([{ reason, message: expect.stringContaining(message) }])
  expect((await visit(url, `/${files[0]?.path}`)).status).toBe(200)
})

it('a manifest that was uploaded before is read, too', async () => {
  const team = await newTeam(node)
  const files = [index, { path: 'package.json', content: vite }]
  await deploy(team, { files })
  const digests = files.map(({ path, content }) => byDigest(path, content))
  const { warnings } = await deploy(team, { files: digests })
  expect(warned(warnings)).toHaveLength(1)
})

it('a site has no such warning', async () => {
  const team = await newTeam(node)
  const files = [index, { path: 'package.json', content: '{"devDependencies":{"prettier":"3"}}' }]
  expect(warned((await deploy(team, { files })).warnings)).toEqual([])
})
