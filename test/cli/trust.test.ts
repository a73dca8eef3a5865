/** `svc trust`: which jobs of continuous integration may deploy a project without a key. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { newHome, type Svc } from './svc.ts'

let node: TestNode
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { svc: run } = await newHome()
  svc = (args) => run(args, { env: { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey } })
})

it('makes policies for previews, or for both targets, lists and revokes them', async () => {
  expect((await svc(['trust'])).stderr).toBe('web trusts no jobs.\n')
  const main = ['--repository-id', '123', '--ref', 'refs/heads/main', '--environment', 'site', '--production']
  const github = await svc(['trust', 'add', 'github', ...main])
  expect(github).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^web trusts jobs of \S+ with ref=\S+ environment=site repository_id=123 \(preview, production\): tp_/,
    ),
  })
  const gitlab = await svc(['trust', 'add', 'gitlab', '--project-id', '7', '--project', 'web', '--json'])
  expect(JSON.parse(gitlab.stdout)).toMatchObject({
    issuer: 'https://gitlab.com',
    claims: { project_id: '7' },
    targets: ['preview'],
  })
  const bound = await svc(['trust', 'add', 'gitlab', '--project-id', '9', '--bind-branch'])
  expect(bound.stdout).toMatch(/\(preview, branch of the ref\): tp_\w+\.\n$/)
  expect((await svc(['trust', 'ls'])).stdout.split('\n')[0]).toMatch(/\tof the ref$/)
  await svc(['trust', 'rm', /tp_\w+/.exec(bound.stdout)?.[0] ?? ''])
  const other = ['--issuer', 'https://gitlab.com', '--claim', 'project_id=8', '--claim', 'b=2=3']
  expect(await svc(['trust', 'add', ...other])).toMatchObject({ code: 0 })
  const [line = ''] = (await svc(['trust', 'ls'])).stdout.split('\n')
  expect(line).toMatch(/^tp_\w+\thttps:\/\/gitlab\.com\tb=2=3 project_id=8\tpreview\tnever\t/)
  const [id = ''] = line.split('\t')
  expect((await svc(['trust', 'rm', id])).stdout).toBe(`Revoked ${id}.\n`)
  const left = JSON.parse((await svc(['trust', 'ls', '--json'])).stdout)
  expect(left.map(({ issuer }: { issuer: string }) => new URL(issuer).host)).toEqual([
    'gitlab.com',
    'token.actions.githubusercontent.com',
  ])
  const completed = await svc(['__complete', '--', 'trust', 'rm', ''])
  expect(completed.stdout).toMatch(/^tp_\w+\thttps:\/\/gitlab\.com$/m)
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
