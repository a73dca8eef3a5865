/** What terminals interpret, in every string of every answer of a server: none of it is written. */
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createProgram } from '../../src/cli/program.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { clientOf, newEmail, newUser } from '../platform/teams/people.ts'
import { startOwnNode } from '../stores/db/own-node.ts'
import { type TestNode, unique } from '../support/node.ts'
import { joinNewTeam } from '../support/session.ts'
import { newTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

const poison = '\u001b]0;pwn\u0007\u009b31m\u0085\nFORGED\tFORGED\u202e\u2066\u200f\u061c\u2028\u007f'
const poisonInJson = JSON.stringify(poison).slice(1, -1)

/**
 * The value with the poison at the end of each string and name, except what the client sends back as it is.
 */
function poisoned(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name.endsWith('cursor') ? value : value + poison
  if (Array.isArray(value)) return value.map((each) => poisoned(each))
  if (typeof value !== 'object' || value === null) return value
  const inside = Object.entries(value).map(([key, each]) => [
    name === 'meta' ? key + poison : key,
    // A state that is unknown is none that anything follows from.
    ['state', 'reason', 'kind'].includes(key) ? each : poisoned(each, key),
  ])
  return Object.fromEntries(inside)
}

let node: TestNode
let proxyUrl: string
let key: string
let home: string
let site: string
let zone: string
let known: Record<
  'web' | 'deployment' | 'domain' | 'record' | 'key' | 'webhook' | 'delivery' | 'invited',
  string
>

/** Between the command and the node, it poisons answers, and cleans requests. */
const proxy = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', node.apiUrl)
  const input = url.searchParams.get('input')
  if (input !== null) url.searchParams.set('input', input.replaceAll(poisonInJson, ''))
  const body = (await buffer(request)).toString().replaceAll(poisonInJson, '')
  const kept = ['authorization', 'content-type', 'idempotency-key']
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers: kept.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
    ...(body !== '' && { body }),
  })
  response.writeHead(answer.status, { 'content-type': 'application/json', 'x-svc-version': '0\u009b9' })
  response.end(JSON.stringify(poisoned(JSON.parse(await answer.text()))))
})

beforeAll(async () => {
  node = await startOwnNode({ SVC_ROLES: 'api,edge,worker', SVC_WEBHOOKS_ALLOW_PRIVATE: '1' })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  home = (await newHome()).home
  site = join(home, 'site')
  zone = join(home, 'zone')
  await mkdir(site, { recursive: true })
  await writeFile(join(site, 'index.html'), 'hello')
  await writeFile(zone, 'www 60 A 192.0.2.1\nwww 60 TYPE1 \\# 0\n')
  const email = newEmail()
  const userId = await newUser(node, email)
  const own = await joinNewTeam(node, userId, { personal: true })
  const api = await clientOf(node, own, userId)
  key = (await api('POST', '/v1/apikeys', { name: 'cli', role: 'owner' })).body.token
  const inviting = await newTeam(node)
  const members = [
    { email: null, role: 'owner' },
    { email, role: 'member' },
  ]
  await inviting.owner('PUT', `/v1/teams/${inviting.slug}`, { members })
  await api('PUT', '/v1/projects/web')
  const hook = await api('POST', '/v1/webhooks', { url: `${proxyUrl}/nobody`, events: ['deployment.ready'] })
  const deploy = () =>
    api('POST', '/v1/deployments', {
      project: 'web',
      target: 'production',
      meta: { branch: 'main' },
      files: [{ path: 'index.html', content: unique('page') }],
    })
  const { body: deployed } = await deploy()
  await deploy()
  const domain = `${unique('zone')}.com`
  await api('PUT', `/v1/domains/${domain}`)
  const record = await api('POST', `/v1/domains/${domain}/records`, { name: '@', type: 'TXT', value: 'a' })
  const { body: keys } = await api('POST', '/v1/apikeys', { name: 'other', role: 'member' })
  const got = await api('GET', `/v1/webhooks/${hook.body.id}`)
  known = {
    web: 'web',
    deployment: deployed.id,
    domain,
    record: record.body.id,
    key: keys.id,
    webhook: hook.body.id,
    delivery: got.body.deliveries[0].id,
    invited: inviting.slug,
  }
})

afterAll(async () => {
  proxy.close().closeAllConnections()
  await node.stop()
})

/** In an order in which each finds what it is about. Words in braces are known names. */
const commands = [
  'login',
  'whoami',
  'status',
  'deploy {site} --project web',
  'link web',
  'unlink --yes',
  'projects ls',
  'projects show web',
  'git remote --project web',
  'git connect https://github.com/acme/web --project web --no-deploy',
  'git disconnect --project web --yes',
  'git deliveries --project web',
  'git register --project web',
  'git approve cccccccccccccccccccccccccccccccccccccccc --project web --yes',
  'git retry fdl_0 --project web',
  'projects add another',
  'projects set web --protection previews',
  'projects bypass web',
  'projects password web',
  'ps ls',
  'ps restart web',
  'hooks add web cms',
  'hooks ls web',
  'hooks rm web dhk_0',
  'trust add github --project web --repository-id 1',
  'trust ls --project web',
  'trust rm --project web tp_0',
  'share add web',
  'share ls web',
  'share rm web lnk_0',
  'projects rename another third',
  'deployments ls',
  'deployments show {deployment}',
  'promote {deployment}',
  'redeploy {deployment}',
  'rollback --project web',
  'redeploy --project web',
  'logs -n 5',
  'metrics web',
  'open web',
  'env set A=b --project web',
  'env ls --project web',
  'env import {zone} --project web',
  'env rm A --project web',
  'domains ls',
  'domains add new.example.net',
  'domains show {domain}',
  'domains verify {domain}',
  'domains cert {domain}',
  'dns ls {domain}',
  'dns add {domain} www A 192.0.2.7',
  'dns export {domain}',
  'dns import {domain} {zone} --dry-run',
  'dns rm {domain} {record}',
  'keys ls',
  'keys add more',
  'keys rm {key}',
  'webhooks ls',
  'webhooks show {webhook}',
  'webhooks redeliver {webhook} {delivery}',
  'webhooks add http://127.0.0.1:9/x',
  'webhooks rm {webhook}',
  'teams ls',
  'teams show',
  'teams members --add someone@example.com',
  'teams invitations',
  'teams accept {invited}',
  'teams decline {invited}',
  'teams add made-by-test',
  'domains rm {domain}',
  'deployments rm {deployment}',
  'projects rm web',
  '__complete -- projects show {empty}',
  '__complete -- dns rm {domain} {empty}',
  'logout',
  // Errors, and what the parser repeats.
  'deployments show dpl_0',
  'projects show none',
  'projects show {poison}',
  'deploy {poison}',
  '{poison}',
  'projects --{poison}',
  'projects ls {poison} {poison}',
]

/** Styles, the line of progress and the prompt, which are the command's own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
const ownStyle = /\u001b\[(?:\d+[mG]|0?[JK])|\r/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
const interpreted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

async function run(command: string, at: { terminal: boolean; json?: boolean }): Promise<string> {
  const words: Record<string, string> = { ...known, site, zone, poison, empty: '' }
  const args = command.split(' ').map((word) => word.replace(/\{(\w+)\}/, (_all, name) => words[name] ?? ''))
  const stream = () => Object.assign(new PassThrough(), at.terminal && { isTTY: true, columns: 200 })
  const [stdin, stdout, stderr] = [new PassThrough(), stream(), stream()]
  if (at.terminal) Object.assign(stdin, { isTTY: true })
  // Whatever is asked, the answer is no; to `login` it is a key.
  stdin.end(command === 'login' ? `${key}\r` : 'n\r')
  const output = Promise.all([text(stdout), text(stderr)])
  const io = {
    env: { HOME: home, SVC_URL: proxyUrl, ...(command !== 'login' && { SVC_TOKEN: key }), TERM: 'xterm' },
    stdin: z.custom<NodeJS.ReadStream>().parse(stdin),
    stdout: z.custom<NodeJS.WriteStream>().parse(stdout),
    stderr: z.custom<NodeJS.WriteStream>().parse(stderr),
    signal: new AbortController().signal,
  }
  const before = process.cwd()
  process.chdir(home)
  await runCommand(at.json ? [...args, '--json'] : args, io)
  process.chdir(before)
  stdout.end()
  stderr.end()
  return (await output).join('')
}

async function expectNone(at: { terminal: boolean; json?: boolean }): Promise<void> {
  const wrong: string[] = []
  let saidAnything = 0
  for (const command of commands) {
    // Its output to a pipe is a file.
    if (command.startsWith('dns export') && !at.terminal) continue
    const output = await run(command, at)
    const rest = output.replaceAll(ownStyle, '')
    if (rest.includes('FORGED')) saidAnything += 1
    // A zone file has lines.
    const isForged = !command.startsWith('dns export') && /(?:^|\t)FORGED/m.test(rest)
    if (interpreted.test(rest) || isForged) wrong.push(`${command}: ${JSON.stringify(output)}`)
  }
  expect(wrong).toEqual([])
  expect(saidAnything).toBeGreaterThan(commands.length / 2)
}

it('at a terminal, no command writes what terminals interpret, nor more lines than its own', () =>
  expectNone({ terminal: true }))

it.each([
  ['in a pipe', { terminal: false }],
  ['as JSON', { terminal: false, json: true }],
])('the same %s', { tags: 'long' }, (_what, at) => expectNone(at))

it('all commands that talk to a server are among these', async () => {
  const paths = (command: Command, above: string): string[] => {
    const here = `${above} ${command.name()}`.trim()
    return command.commands.length === 0 ? [here] : command.commands.flatMap((each) => paths(each, here))
  }
  const program = await createProgram({
    env: {},
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
  })
  const all = program.commands.flatMap((each) => paths(each, ''))
  const missing = all.filter((path) => !commands.some((command) => `${command} `.startsWith(`${path} `)))
  // These talk to a node on this machine. What `mcp` and `git-credential` write are protocols, for which
  // mcp/data.test.ts and git-credential.test.ts are.
  const others = missing.filter((path) => !path.startsWith('admin '))
  expect(others.sort()).toEqual(['completion', 'git-credential', 'mcp'])
})

it('only the folder of the terminal writes to its streams', async () => {
  const folder = new URL('../../src/cli/', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const writing = await Promise.all(
    files.map(async (file) =>
      /std(out|err)\.(write|pipe|end)\(|pipe\(std/.test(await readFile(new URL(file, folder), 'utf8'))
        ? file
        : [],
    ),
  )
  expect(
    writing
      .flat()
      .filter((file) => !file.startsWith('terminal/'))
      .sort(),
  ).toEqual([
    // Its version alone; what a build on this machine prints; help.
    ...['frameworks/build-here.ts', 'main.ts', 'program.ts'],
  ])
})
