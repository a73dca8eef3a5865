/** Logging in and out: what is stored, where, and who can read it. */
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Awaited<ReturnType<typeof newHome>>['svc']
let home: string
let credentialsPath: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  ;({ home, svc, credentialsPath } = await newHome())
})

const login = (key = team.ownerKey, options = {}) =>
  svc(['login', '--url', node.apiUrl], { input: `${key}\n`, ...options })

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('svc login', () => {
  it('stores a valid key where only its user can read it', async () => {
    expect(await login()).toEqual({
      code: 0,
      stdout: '',
      stderr: `Logged in to ${node.apiUrl} as owner of team ${team.slug}.\n`,
    })
    expect(await modeOf(credentialsPath)).toBe(0o600)
    expect(await modeOf(join(home, '.config/svc'))).toBe(0o700)
    expect(await svc(['projects'])).toMatchObject({ code: 0 })
  })

  it('stores it in XDG_CONFIG_HOME if that is set, and ignores a relative one', async () => {
    await login(team.ownerKey, { env: { XDG_CONFIG_HOME: join(home, 'config') } })
    expect(await modeOf(join(home, 'config/svc/credentials.json'))).toBe(0o600)
    await login(team.ownerKey, { env: { XDG_CONFIG_HOME: 'config' } })
    expect(await modeOf(credentialsPath)).toBe(0o600)
  })

  it('prints who logged in as JSON, without the key', async () => {
    const { code, stdout } = await svc(['login', '--json', '--url', node.apiUrl], { input: team.ownerKey })
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      url: node.apiUrl,
      team: team.slug,
      role: 'owner',
    })
  })

  it.each([
    ['', 2, 'svc: No API key on standard input.\n'],
    ['two words', 2, 'svc: The input is not an API key. A key is one word that begins with svc_.\n'],
    ['svc_wrong', 3, /^svc: The server rejected this API key: /],
  ])('stores nothing when it is given %j', async (input, code, message) => {
    const outcome = await login(input)
    expect(outcome).toEqual({
      code,
      stdout: '',
      stderr: typeof message === 'string' ? message : expect.stringMatching(message),
    })
    expect(outcome.stderr).not.toContain(input || 'svc_')
    await expect(stat(credentialsPath)).rejects.toThrow('ENOENT')
  })

  it.each(['localhost', 'ftp://localhost', 'http://user@localhost', 'http://localhost/v1'])(
    'refuses the address %s',
    async (url) => {
      expect(await svc(['login', '--url', url], { input: team.ownerKey })).toEqual({
        code: 2,
        stdout: '',
        stderr: 'svc: --url should be an address such as https://svc.example.com, without a path.\n',
      })
    },
  )

  it('stores the keys of several servers, and uses the last one', async () => {
    await login()
    const other = node.apiUrl.replace('localhost', '127.0.0.1')
    const { key } = await addMember(node, team)
    await svc(['login', '--url', other], { input: key })
    expect(JSON.parse((await svc(['whoami', '--json'])).stdout)).toMatchObject({ url: other, role: 'member' })
    const first = await svc(['whoami', '--json', '--url', node.apiUrl])
    expect(JSON.parse(first.stdout)).toMatchObject({ url: node.apiUrl, role: 'owner' })
  })
})

describe('the API key that a command uses', () => {
  it('is SVC_TOKEN if that is set, for SVC_URL', async () => {
    await login()
    const { key } = await addMember(node, team)
    const { stdout } = await svc(['whoami', '--json'], { env: { SVC_TOKEN: key, SVC_URL: node.apiUrl } })
    expect(JSON.parse(stdout)).toMatchObject({ url: node.apiUrl, source: 'SVC_TOKEN', role: 'member' })
  })

  it('is never sent to another server', async () => {
    await login()
    const heard: unknown[] = []
    const server = createServer((request, response) => {
      heard.push(request.headers.authorization)
      response.end()
    }).listen(0)
    const { port } = server.address() as AddressInfo
    const url = `http://localhost:${port}`
    const outcome = await svc(['projects'], { env: { SVC_URL: url } })
    server.close()
    expect(outcome).toEqual({
      code: 3,
      stdout: '',
      stderr: `svc: You are not logged in to ${url}: run \`svc login\`, or set SVC_TOKEN.\n`,
    })
    expect(heard).toEqual([])
  })

  it('is not printed when it cannot be sent', async () => {
    const outcome = await svc(['projects'], { env: { SVC_TOKEN: 'svc_a\nb' } })
    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: 'svc: SVC_TOKEN is not an API key. A key is one word that begins with svc_.\n',
    })
  })

  it('is not used from a file that others can read', async () => {
    await login()
    await chmod(credentialsPath, 0o640)
    const { code, stderr } = await svc(['projects'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${credentialsPath} is readable by other users of this machine`),
    })
    await chmod(credentialsPath, 0o600)
    expect(await svc(['projects'])).toMatchObject({ code: 0 })
  })

  it.each(['', '{', '[]', '{"tokens":[]}'])('is not guessed from a damaged file: %j', async (content) => {
    await mkdir(join(home, '.config/svc'), { recursive: true })
    await writeFile(credentialsPath, content, { mode: 0o600 })
    expect(await svc(['projects'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `svc: ${credentialsPath} is damaged. Remove it and run \`svc login\` again.\n`,
    })
  })
})

describe('svc logout', () => {
  it('removes the key of this server only', async () => {
    await login()
    const other = node.apiUrl.replace('localhost', '127.0.0.1')
    await svc(['login', '--url', other], { input: team.ownerKey })
    expect(await svc(['logout'])).toMatchObject({ code: 0, stderr: `Logged out of ${other}.\n` })
    expect(JSON.parse(await readFile(credentialsPath, 'utf8'))).toEqual({
      tokens: { [node.apiUrl]: team.ownerKey },
    })
    expect(await svc(['whoami', '--url', node.apiUrl])).toMatchObject({ code: 0 })
    expect(await svc(['whoami', '--url', other])).toMatchObject({ code: 3 })
  })

  it('reports when there was none', async () => {
    expect(await svc(['logout', '--json'])).toEqual({
      code: 0,
      stdout: '{\n  "url": "http://localhost:3000",\n  "logged_out": false\n}\n',
      stderr: '',
    })
  })
})

it('svc whoami prints server, person, team, role and key', async () => {
  await login()
  const { stdout } = await svc(['whoami'])
  expect(stdout).toMatch(
    new RegExp(
      `^server\t${node.apiUrl}\nuser\towner\nteam\t${team.slug}\nrole\towner\n` +
        'key\towner \\(svc_\\w+…\\), from svc login\n$',
    ),
  )
})
