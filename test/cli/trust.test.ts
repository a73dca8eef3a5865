/** `svc trust`: which jobs of continuous integration may deploy a project without a key. */
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { startTrustCalls } from '../support/trust-calls.ts'
import { newHome, type Svc } from './svc.ts'

let node: TestNode
let api: Awaited<ReturnType<typeof startTrustCalls>>
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  api = await startTrustCalls(node.apiUrl)
  const { svc: run } = await newHome()
  svc = (args) => run(args, { env: { SVC_URL: api.url, SVC_TOKEN: team.ownerKey } })
})

afterEach(() => api.close())

it('makes policies for previews, or for both targets, lists and revokes them', async () => {
  expect((await svc(['trust'])).stderr).toBe('web trusts no jobs.\n')
  const main = ['--repository-id', '123', '--ref', 'refs/heads/main', '--environment', 'site', '--production']
  expect(await svc(['trust', 'add', 'github', ...main])).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'web trusts jobs of https://token.actions.githubusercontent.com with repository_id=123 ' +
      'ref=refs/heads/main environment=site (preview, production): tp_1.\n',
  })
  const gitlab = await svc(['trust', 'add', 'gitlab', '--project-id', '7', '--project', 'web', '--json'])
  expect(JSON.parse(gitlab.stdout)).toMatchObject({
    issuer: 'https://gitlab.com',
    claims: { project_id: '7' },
    targets: ['preview'],
  })
  const other = ['--issuer', 'https://git.example.com/api/actions', '--claim', 'a=1', '--claim', 'b=2=3']
  expect(await svc(['trust', 'add', ...other])).toMatchObject({ code: 0 })
  const [line = ''] = (await svc(['trust', 'ls'])).stdout.split('\n')
  expect(line).toMatch(
    /^tp_3\thttps:\/\/git\.example\.com\/api\/actions\ta=1 b=2=3\tpreview\tnever\t\S+\tAda$/,
  )
  expect((await svc(['trust', 'rm', 'tp_3'])).stdout).toBe('Revoked tp_3.\n')
  const left = JSON.parse((await svc(['trust', 'ls', '--json'])).stdout)
  expect(left.map(({ id }: { id: string }) => id)).toEqual(['tp_2', 'tp_1'])
  expect((await svc(['__complete', '--', 'trust', 'rm', ''])).stdout).toContain('tp_2\thttps://gitlab.com')
})

it.each<[string[], string]>([
  [[], 'Whose identity tokens? Pass github, gitlab, or --issuer <address>.'],
  [['bitbucket'], 'bitbucket is no known issuer: github, gitlab, or --issuer <address>.'],
  [['github', '--issuer', 'https://a.test'], 'Pass either github or --issuer.'],
  [['github', '--ref', 'a', '--claim', 'ref=b'], 'The claim ref is given twice.'],
  [
    ['github', '--claim', 'ref'],
    "option '--claim <name=value>' argument 'ref' is invalid. It should be name=value.",
  ],
])('refuses %j with a sentence', async (args, sentence) => {
  expect(await svc(['trust', 'add', ...args])).toEqual({ code: 2, stdout: '', stderr: `svc: ${sentence}\n` })
})
