/** `svc completion`, as bash uses it. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
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

/** What the shell is told could come after `words`. */
async function following(...words: string[]): Promise<string[]> {
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: token }
  const { stdout, stderr, code } = await svc(['__complete', '--', ...words], { env })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

describe('what could come next', () => {
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
      ['--role', '--help', '--version', '--url', '--json'],
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

  it('is every command that help shows', async () => {
    const { stdout } = await svc(['--help'])
    const commands = stdout.split('Commands:\n')[1]?.split('\n\n')[0]?.split('\n') ?? []
    const shown = commands.flatMap((line) => /^ {2}([a-z]+)/.exec(line)?.[1] ?? [])
    expect(shown.length).toBeGreaterThan(10)
    expect(await following('')).toEqual(shown)
  })

  it.each([
    [['open', '']],
    [['projects', 'show', '']],
    [['env', '--project', '']],
    [['deployments', '--project', '']],
  ])('after %j is a name of a project', async (words) => {
    expect(await following(...words)).toEqual([project])
  })

  it('is a name of a domain', async () => {
    const domain = `${unique('site')}.com`
    await createClient({ url: node.apiUrl, token }).domains.put.mutate({ domain })
    expect(await following('dns', 'export', '')).toEqual([domain])
    expect(await following('domains', 'show', '')).toEqual([domain])
    expect(await following('dns', 'add', domain, 'www', 'C')).toEqual(['CAA', 'CNAME'])
  })

  it('is nothing, quietly, where the server cannot be asked', async () => {
    expect(await svc(['__complete', '--', 'open', ''])).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

it('completes in bash', async () => {
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

it('refuses a shell that it has no script for', async () => {
  const { code, stderr } = await svc(['completion', 'tcsh'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "svc: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n",
  })
})
