/** `svc git-credential`: which passwords git gets, and for which servers. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimsOf, enforcingNode } from '../support/enforcing-node.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

let node: TestNode
let team: TestTeam
let run: Awaited<ReturnType<typeof newHome>>['svc']

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  ;({ svc: run } = await newHome())
})

const login = (at: TestNode, key: string) => run(['login', '--url', at.apiUrl], { input: key })

type Request = { operation?: string; env?: Record<string, string> }

/** What git gets that sends these lines. */
async function answer(lines: string, { operation = 'get', env = {} }: Request = {}): Promise<string> {
  const { code, stdout, stderr } = await run(['git-credential', operation], { input: lines, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** The lines that git sends for a server. */
function linesFor(address: string): string {
  const { protocol, host } = new URL(address)
  const server = `protocol=${protocol.slice(0, -1)}\nhost=${host}\n`
  return `${server}path=git/team/site.git\nwwwauth[]=Basic realm="svc"\n\n`
}

const given = (password: string) => `username=svc\npassword=${password}\n`

describe('the password', () => {
  it('is the key of svc login, until svc logout', async () => {
    await login(node, team.ownerKey)
    expect(await answer(linesFor(node.apiUrl))).toBe(given(team.ownerKey))
    expect(await answer(linesFor(node.apiUrl).trimEnd())).toBe(given(team.ownerKey))
    await run(['logout', '--url', node.apiUrl])
    expect(await answer(linesFor(node.apiUrl))).toBe('')
  })

  it('is the one of that server, of several that the user is logged in to', async () => {
    const enforcing = await enforcingNode()
    const other = await newTeam(enforcing)
    await login(node, team.ownerKey)
    await login(enforcing, other.ownerKey)
    expect(await answer(linesFor(node.apiUrl))).toBe(given(team.ownerKey))
  })

  it('is SVC_TOKEN for the server of SVC_URL, and for no other', async () => {
    const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
    expect(await answer(linesFor(node.apiUrl), { env })).toBe(given(team.ownerKey))
    expect(await answer(linesFor('https://svc.test'), { env })).toBe('')
    await login(node, team.ownerKey)
    const elsewhere = { SVC_URL: 'https://svc.test', SVC_TOKEN: 'svc_of_elsewhere' }
    expect(await answer(linesFor(node.apiUrl), { env: elsewhere })).toBe(given(team.ownerKey))
  })

  it('is a JWT of the team where the server requires one', async () => {
    const enforcing = await enforcingNode()
    const other = await newTeam(enforcing)
    await login(enforcing, other.ownerKey)
    const [, password = ''] =
      /^username=svc\npassword=(\S+)\n$/.exec(await answer(linesFor(enforcing.apiUrl))) ?? []
    expect(claimsOf(password)).toMatchObject({ tenant: other.id })
    const env = { SVC_URL: enforcing.apiUrl, SVC_TOKEN: password }
    expect(await answer(linesFor(enforcing.apiUrl), { env })).toBe(given(password))
  })

  it('is none where the server refuses the key, which no message has', async () => {
    const env = { SVC_URL: node.apiUrl, SVC_TOKEN: 'svc_revoked' }
    const refused = await run(['git-credential', 'get'], { input: linesFor(node.apiUrl), env })
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('rejected') })
    expect(refused.stderr).not.toContain('svc_revoked')
  })
})

describe('nothing is printed', () => {
  beforeEach(() => login(node, team.ownerKey))

  const parts = () => ({ host: new URL(node.apiUrl).host, name: new URL(node.apiUrl).hostname })

  it.each<[string, (of: { host: string; name: string }) => string]>([
    ['another host', () => 'protocol=http\nhost=github.com\n\n'],
    ['another port', ({ name }) => `protocol=http\nhost=${name}:1\n\n`],
    ['the default port', ({ name }) => `protocol=http\nhost=${name}\n\n`],
    ['another scheme', ({ host }) => `protocol=https\nhost=${host}\n\n`],
    ['another protocol', ({ host }) => `protocol=ftp\nhost=${host}\n\n`],
    ['no protocol', ({ host }) => `host=${host}\n\n`],
    ['no host', () => 'protocol=http\n\n'],
    ['nothing', () => ''],
    ['a host that begins with it', ({ host }) => `protocol=http\nhost=${host}.evil.test\n\n`],
    ['a host behind it as a user', ({ host }) => `protocol=http\nhost=${host}@evil.test\n\n`],
    ['a host before it as a user', ({ host }) => `protocol=http\nhost=evil.test@${host}\n\n`],
    ['a path before it', ({ host }) => `protocol=http\nhost=evil.test/${host}\n\n`],
    ['a path behind it', ({ host }) => `protocol=http\nhost=${host}\\.evil.test\n\n`],
    ['a tab in it', ({ host }) => `protocol=http\nhost=\t${host}\n\n`],
    ['a carriage return', ({ host }) => `protocol=http\nhost=evil.test\rhost=${host}\n\n`],
    ['what follows an empty line', ({ host }) => `protocol=http\nhost=evil.test\n\nhost=${host}\n\n`],
    ['the last of two hosts', ({ host }) => `protocol=http\nhost=${host}\nhost=evil.test\n\n`],
    ['escapes in it', ({ host }) => `protocol=http\nhost=${host.replace('l', '%6c')}\n\n`],
  ])('for %s', async (_what, lines) => {
    expect(await answer(lines(parts()))).toBe('')
  })

  it.each(['store', 'erase', 'capability'])('for %s', async (operation) => {
    const lines = linesFor(node.apiUrl).trimEnd()
    const credential = `${lines}\nusername=svc\npassword=${team.ownerKey}\n\n`
    expect(await answer(credential, { operation })).toBe('')
    expect(await answer(linesFor(node.apiUrl))).toBe(given(team.ownerKey))
  })
})
