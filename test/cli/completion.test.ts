/** `svc completion`, as bash uses it. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client/index.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { newHome, type Svc, svcMain } from './svc.ts'

let node: TestNode
let svc: Svc
let home: string
let token: string
let project: string

beforeAll(async () => {
  node = await sharedNode()
  token = (await newTeam(node)).ownerKey
  project = unique('site')
  await createClient({ url: node.apiUrl, token }).projects.put.mutate({ project })
  ;({ svc, home } = await newHome())
})

/** The completions after `words`. */
async function following(...words: string[]): Promise<string[]> {
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: token }
  const { stdout, stderr, code } = await svc(['__complete', '--', ...words], { env })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

describe('the completions', () => {
  it.each<[string[], string[]]>([
    [['pro'], ['projects', 'promote']],
    [
      ['--json', 'pro'],
      ['projects', 'promote'],
    ],
    [
      ['--url', 'keys', 'log'],
      ['login', 'logout', 'logs'],
    ],
    [
      ['keys', ''],
      ['ls', 'add', 'rm', 'help'],
    ],
    [
      ['keys', 'add', 'x', '--'],
      [...['--role', '--expires', '--project', '--read-only'], ...['--help', '--version', '--url', '--json']],
    ],
    [
      ['keys', 'add', 'x', '--role', ''],
      ['member', 'owner'],
    ],
    [['keys', 'add', 'x', '--role', '=', 'o'], ['owner']],
    [
      ['keys', 'add', 'x', '--role', '='],
      ['member', 'owner'],
    ],
    [['deployments', '--target', 'prev'], ['preview']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nonsense', 'x', ''], []],
  ])('after %j', async (words, expected) => {
    expect((await following(...words)).sort()).toEqual(expected.sort())
  })

  it('contain every command in the help', async () => {
    const { stdout } = await svc(['--help'])
    const commands = stdout.split('Commands:\n')[1]?.split('\n\n')[0]?.split('\n') ?? []
    const listed = commands.flatMap((line) => /^ {2}([a-z-]+)/.exec(line)?.[1] ?? [])
    expect(listed.length).toBeGreaterThan(10)
    expect(await following('')).toEqual(listed)
  })

  it.each([[['projects', 'show', '']], [['env', '--project', '']], [['deployments', '--project', '']]])(
    'after %j contain a project’s name',
    async (words) => {
      expect(await following(...words)).toEqual([project])
    },
  )

  it('contain a domain’s name', async () => {
    const domain = `${unique('site')}.com`
    await createClient({ url: node.apiUrl, token }).domains.put.mutate({ domain })
    expect(await following('dns', 'export', '')).toEqual([domain])
    expect(await following('domains', 'show', '')).toEqual([domain])
    expect(await following('dns', 'add', domain, 'www', 'C')).toEqual(['CAA', 'CNAME'])
  })

  it('contain ids and names of the team’s resources', async () => {
    const api = createClient({ url: node.apiUrl, token })
    const domain = `${unique('site')}.com`
    await api.domains.put.mutate({ domain })
    const record = await api.dns.create.mutate({ domain, name: 'www', type: 'A', value: '192.0.2.1' })
    const files = [{ path: 'index.html', content: 'x' }]
    const deployment = await api.deployments.create.mutate({ project, files })
    const webhook = await api.webhooks.create.mutate({
      url: 'https://example.com',
      events: ['deployment.ready'],
    })
    const [key] = (await api.tokens.listKeys.query({})).data
    const [team] = (await api.teams.list.query({})).data
    const { deliveries } = await api.webhooks.get.query({ webhook: webhook.id })
    expect(await following('promote', '')).toEqual([deployment.id])
    expect(await following('open', '')).toEqual([project, deployment.id])
    expect(await following('logs', '--deployment', '')).toEqual([deployment.id])
    expect(await following('keys', 'rm', '')).toEqual([key?.id])
    expect(await following('teams', 'show', '')).toEqual([team?.slug])
    expect(await following('dns', 'rm', domain, '')).toEqual([record.id])
    expect(await following('webhooks', 'rm', '')).toEqual([webhook.id])
    expect(await following('webhooks', 'redeliver', webhook.id, '')).toEqual(deliveries.map(({ id }) => id))
    await api.projects.put.mutate({ project, env: [{ key: 'MODE', value: 'a' }] })
    expect(await following('env', 'rm', 'OTHER', 'M')).toEqual(['MODE'])
  })

  it('are empty, quietly, when the server is unreachable', async () => {
    expect(await svc(['__complete', '--', 'open', ''])).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

it('work in bash', async () => {
  const bin = join(home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${await svcMain()}' "$@"\n`)
  await chmod(join(bin, 'svc'), 0o755)
  const script = `
    eval "$(svc completion bash)"
    COMP_WORDS=(svc deployments --target p) COMP_CWORD=3
    _svc && printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home }
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', script], { env })
  expect(stdout).toBe('production\npreview\n')
})

it('refuse an unsupported shell', async () => {
  const { code, stderr } = await svc(['completion', 'tcsh'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "svc: command-argument value 'tcsh' is invalid for argument 'shell'. " +
      'Allowed choices are bash, zsh, fish.\n',
  })
})
