/** `svc logs`. */
import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeLine } from '../../src/cli/logs/write-line.ts'
import { localTime } from '../../src/cli/terminal/format.ts'
import { startTcpProxy } from '../api/server/tcp-proxy.ts'
import { deploy } from '../platform/deployments/steps.ts'
import { settledMs, writeLines } from '../platform/observability/logs/lines.ts'
import { sendRequest } from '../roles/edge/client.ts'
import { eventually } from '../support/eventually.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc
let projectId: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
  projectId = (await team.owner('PUT', '/v1/projects/web')).body.id
})

const messagesOf = (stdout: string) => stdout.split('\n').flatMap((line) => line.split('\t')[4] ?? [])

describe('svc logs', () => {
  it('shows the last lines, oldest first, separated by tabs without a terminal', async () => {
    const timeMs = settledMs()
    await writeLines(node, team, [
      { message: 'one', projectId, timeMs },
      { message: 'two', level: 'error', timeMs: timeMs + 1 },
    ])
    expect(await svc(['logs', '--kind', 'build'])).toEqual({
      code: 0,
      stdout: `${localTime(timeMs)}\tinfo\tbuild\tweb\tone\n${localTime(timeMs + 1)}\terror\tbuild\t-\ttwo\n`,
      stderr: '',
    })
    expect(messagesOf((await svc(['logs', '-n', '1'])).stdout)).toEqual(['owner created project web'])
  })

  it('shows the requested number, over several pages', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => ({ message: `line ${index}` }))
    await writeLines(node, team, lines)
    const { stdout } = await svc(['logs', '--kind', 'build', '-n', '240'])
    expect(messagesOf(stdout)).toEqual(lines.slice(10).map(({ message }) => message))
  })

  it('filters by the options', async () => {
    const hourAgo = Date.now() - 3_600_000
    await writeLines(node, team, [
      { message: 'old', timeMs: hourAgo - 60_000 },
      { message: 'bad', level: 'error', deploymentId: 'dpl_1', projectId },
      { message: 'good' },
      { message: 'pushed', kind: 'git' },
      { message: 'listening', kind: 'runtime' },
    ])
    const printed = async (...args: string[]) => messagesOf((await svc(['logs', ...args])).stdout)
    expect(await printed('--kind', 'build', '--since', '1h')).toEqual(['bad', 'good'])
    expect(await printed('--since', new Date(hourAgo).toISOString(), '-q', 'GOOD')).toEqual(['good'])
    expect(await printed('--level', 'error', '--project', 'web')).toEqual(['bad'])
    expect(await printed('--deployment', 'dpl_1')).toEqual(['bad'])
    expect(await printed('--kind', 'git')).toEqual(['pushed'])
    expect(await printed('--kind', 'runtime')).toEqual(['listening'])
    expect(await printed('--kind', 'audit')).toEqual(['owner created project web'])
  })

  it('in a linked directory is of that project, unless the options say otherwise', async () => {
    const { home, svc: run } = await newHome()
    const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
    const other = (await team.owner('PUT', '/v1/projects/other')).body.id
    await writeLines(node, team, [
      { message: 'of web', projectId },
      { message: 'of other', projectId: other, deploymentId: 'dpl_1' },
    ])
    const below = join(home, 'work', 'src')
    await mkdir(below)
    expect(await run(['link', 'web'], { env })).toMatchObject({ code: 0 })
    const printed = async (cwd: string, ...args: string[]) =>
      messagesOf((await run(['logs', '--kind', 'build', ...args], { env, cwd })).stdout)
    for (const cwd of [join(home, 'work'), below]) expect(await printed(cwd)).toEqual(['of web'])
    expect(await printed(below, '--project', 'other')).toEqual(['of other'])
    expect(await printed(below, '--deployment', 'dpl_1')).toEqual(['of other'])
    expect(await printed(below, '--all')).toEqual(['of web', 'of other'])
    expect(await printed(home)).toEqual(['of web', 'of other'])
    const { stdout, stderr } = await run(['logs', '--json'], { env, cwd: below })
    expect(JSON.parse(stdout)).toMatchObject([{ project: 'web' }, { project: 'web' }])
    expect(stderr).toBe('Of the project web, as svc.json says; --all is of all projects.\n')
  })

  it('has requests by status, or by its class', async () => {
    const line = (status: number, level: 'info' | 'warn' | 'error') =>
      ({ kind: 'request', projectId, level, message: `GET / ${status}`, fields: { status } }) as const
    await writeLines(node, team, [
      line(200, 'info'),
      line(403, 'warn'),
      line(404, 'warn'),
      line(502, 'error'),
    ])
    const printed = async (status: string) => messagesOf((await svc(['logs', '--status', status])).stdout)
    expect(await printed('404')).toEqual(['GET / 404'])
    expect(await printed('4xx')).toEqual(['GET / 403', 'GET / 404'])
    expect(await printed('5xx')).toEqual(['GET / 502'])
    expect(await printed('2xx')).toEqual(['GET / 200'])
  })

  it('removes control characters from lines', async () => {
    await writeLines(node, team, [{ message: '\u001b[31mred\u001b[0m\u001b]0;title\u0007 a\nb\u009b2J' }])
    expect(messagesOf((await svc(['logs', '--kind', 'build'])).stdout)).toEqual(['red a b'])
    const { stdout } = await svc(['logs', '--kind', 'build', '--json'])
    for (const control of ['\u0007', '\u001b', '\u009b']) expect(stdout).not.toContain(control)
    expect(JSON.parse(stdout)).toMatchObject([{ message: expect.stringContaining('\u001b[31m') }])
  })

  it('reports when there is nothing', async () => {
    expect(await svc(['logs', '--kind', 'request'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No lines match.\n',
    })
    expect((await svc(['logs', '--kind', 'request', '--json'])).stdout).toBe('[]\n')
  })

  it.each([
    [['--project', 'nothing'], 4, 'The team has no project nothing.'],
    [['--all', '--project', 'web'], 2, 'Pass either --all or --project.'],
    [['--since', 'yesterday'], 2, 'It should be like 90s, 15m, 1h, 7d'],
    [['-n', '0'], 2, 'It should be a whole number from 1.'],
    [['--status', '4'], 2, 'status: must be a status such as 404, or a class of them such as 4xx'],
    [['--kind', 'all'], 2, 'Allowed choices are build, audit, request, git, runtime.'],
    [['--kind', 'audit', '--level', 'error'], 2, 'level: must be info with kind=audit'],
  ])('%j ends with %i', async (args, code, message) => {
    const outcome = await svc(['logs', ...args])
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })
})

describe('svc logs -f', () => {
  /** Follows until `stop`; `printed` returns its lines so far. */
  function follow(args: string[], env: Record<string, string> = {}) {
    let child: ChildProcess | undefined
    let printed = ''
    let errors = ''
    const ended = svc(['logs', '-f', ...args], {
      env,
      started: (started) => {
        child = started
        started.stdout?.on('data', (chunk) => {
          printed += chunk
        })
        started.stderr?.on('data', (chunk) => {
          errors += chunk
        })
      },
    })
    const stop = () => {
      child?.kill('SIGINT')
      return ended
    }
    return { printed: () => messagesOf(printed), errors: () => errors, raw: () => printed, stop }
  }

  it('shows the last lines, then each new one once, until Ctrl-C', async () => {
    await writeLines(node, team, [{ message: 'first' }, { message: 'before', timeMs: Date.now() }])
    const following = follow(['--kind', 'build', '-n', '1'])
    await eventually(() => expect(following.printed()).toEqual(['before']))
    await writeLines(node, team, [{ message: 'after', timeMs: Date.now() }])
    await eventually(() => expect(following.printed()).toEqual(['before', 'after']))
    await writeLines(node, team, [{ message: 'last', timeMs: Date.now() }])
    await eventually(() => expect(following.printed()).toEqual(['before', 'after', 'last']))
    expect(await following.stop()).toMatchObject({ code: 130, stderr: '' })
  })

  it('shows requests to sites', async () => {
    const { url } = await deploy(team)
    const following = follow(['--kind', 'request'])
    await sendRequest(Number(new URL(node.sitesUrl).port), new URL(url).host, '/gone?secret')
    await eventually(() => expect(following.printed()).toEqual(['GET /gone 404']))
    expect(following.raw()).toContain('\twarn\trequest\tweb\t')
    await following.stop()
  })

  it('prints one JSON document per line', async () => {
    const following = follow(['--kind', 'build', '--json'])
    await writeLines(node, team, [
      { message: 'a\nb', timeMs: Date.now() },
      { message: 'c', timeMs: Date.now() },
    ])
    await eventually(() => expect(following.raw().split('\n')).toHaveLength(3))
    const [first, second] = following.raw().split('\n')
    expect([first, second].map((line) => JSON.parse(line ?? '').message)).toEqual(['a\nb', 'c'])
    await following.stop()
  })

  it('continues once an unreachable server is back', { tags: 'long' }, async () => {
    const url = new URL(node.apiUrl)
    const proxy = await startTcpProxy(url.hostname, Number(url.port))
    const env = { SVC_URL: `http://127.0.0.1:${proxy.port}` }
    await writeLines(node, team, [{ message: 'before' }])
    const following = follow(['--kind', 'build'], env)
    await eventually(() => expect(following.printed()).toEqual(['before']))
    await writeLines(node, team, [{ message: 'there', timeMs: Date.now() }])
    await eventually(() => expect(following.printed()).toEqual(['before', 'there']))
    await proxy.cut()
    await writeLines(node, team, [{ message: 'missed', timeMs: Date.now() }])
    await eventually(() => expect(following.errors()).toContain('The server does not respond'))
    await proxy.restore()
    await eventually(() => expect(following.printed()).toEqual(['before', 'there', 'missed']))
    expect((await following.stop()).code).toBe(130)
    await proxy.cut()
  })

  it('fails at once if the server is unreachable from the start', async () => {
    expect(await svc(['logs', '-f'], { env: { SVC_URL: 'http://127.0.0.1:1' } })).toMatchObject({ code: 6 })
  })
})

it('says who did it, whose name is no more than text', () => {
  const line = {
    id: '',
    time_ms: 0,
    kind: 'audit',
    level: 'info',
    message: 'created project web',
    project: 'web',
    deployment: null,
    fields: { type: 'project.created', actor_name: 'Ada\u001b[2J\tL\n\u202e' },
  } as const
  for (const isTTY of [true, false]) {
    const written: string[] = []
    const stdout = Object.assign(Object.create(process.stdout), {
      isTTY,
      write: (text: string) => written.push(text),
    })
    writeLine({ stdout, env: { NO_COLOR: '1' } }, line)
    expect(written).toEqual([expect.stringMatching(/[\t ]Ada L {2}created project web\n$/)])
  }
})

it('colours the level at a terminal, unless NO_COLOR is set', () => {
  const line = {
    id: '',
    time_ms: 0,
    kind: 'build',
    level: 'error',
    message: 'broken\u001b[2J',
    project: 'web',
    deployment: null,
    fields: {},
  } as const
  const printed = (isTTY: boolean, env: NodeJS.ProcessEnv) => {
    const written: string[] = []
    const stdout = Object.assign(Object.create(process.stdout), {
      isTTY,
      write: (text: string) => written.push(text),
    })
    writeLine({ stdout, env }, line)
    return written.join('')
  }
  expect(printed(true, { TERM: 'xterm' })).toContain('\u001b[31merror\u001b[39m')
  expect(printed(true, { TERM: 'xterm' })).toMatch(/ broken\n$/)
  for (const text of [printed(true, { NO_COLOR: '1' }), printed(false, {})])
    expect(text).not.toContain('\u001b')
})
