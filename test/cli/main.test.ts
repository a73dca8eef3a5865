import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listenAdmin } from '../../src/api/server/admin-socket.ts'
import { requestAdmin } from '../../src/cli/admin/request-admin.ts'
import { createProgram } from '../../src/cli/program.ts'
import { createLogger } from '../../src/lib/log/logger.ts'
import { DataDirectoryInUseError, lockDataDirectory } from '../../src/stores/data-dir/lock.ts'
import { svcMain, svcModules } from './svc.ts'

const nodeKey = { token: 'svc_from_the_node', team: 'team_1' }
const directKey = { token: 'svc_from_the_database', team: 'team_1' }

let directory: string
let stops: (() => Promise<void>)[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-cli-'))
  stops = []
})

afterEach(async () => {
  for (const stop of stops.reverse()) await stop()
  await rm(directory, { recursive: true })
})

type Outcome = { code: number; stdout: string; stderr: string }

/** Runs `svc` in the test's directory, with only `environment` as its environment. */
async function svc(
  args: string[],
  environment: Record<string, string> = {},
  main = svcMain(),
): Promise<Outcome> {
  const child = spawn(process.execPath, [await main, ...args], { cwd: directory, env: environment })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: Number(code), stdout, stderr }
}

async function lock(): Promise<() => Promise<void>> {
  const { release } = await lockDataDirectory(directory)
  stops.push(release)
  return release
}

/** Simulates a running node's use of its data directory, as far as the command sees it. */
async function startNode(createOwnerKey = async () => nodeKey): Promise<void> {
  await lock()
  await listen(createOwnerKey)
}

const setPlan = () => Promise.reject(new Error('not part of this test'))
const sweepBlobs = () => Promise.reject(new Error('not part of this test'))
const acceptClock = setPlan
const holdCollection = setPlan
const copyDatabase = setPlan
async function* check() {}

async function listen(createOwnerKey = async () => nodeKey): Promise<void> {
  const log = createLogger({ write: () => {} })
  const createPersonLink = async ({ email = 'the first user' }) => ({
    url: `https://api.test/auth/link?token=${encodeURIComponent(email)}`,
    expires_ms: 1_800_000_000_000,
  })
  const { close } = await listenAdmin({
    directory,
    handlers: {
      createOwnerKey,
      createPersonLink,
      setPlan,
      sweepBlobs,
      acceptClock,
      holdCollection,
      copyDatabase,
    },
    check,
    log,
  })
  stops.push(close)
}

/** The packages of which a process loaded a module, by the coverage that it left in this directory. */
async function loadedPackages(coverage: string): Promise<string[]> {
  const [file = ''] = await readdir(coverage)
  const urls = (await readFile(join(coverage, file), 'utf8')).match(/"url":"[^"]+"/g) ?? []
  const packages = urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return [...new Set(packages)].sort()
}

describe('svc', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('prints its usage: svc %j', async (args) => {
    const { code, stdout, stderr } = await svc(args)
    expect(stdout).toMatch(/^Usage: svc \[options\] \[command\]\n/)
    expect(stdout).toContain('Exit codes: 0 success; ')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('has an example for every command', async () => {
    const { env, stdin, stderr } = process
    let output = ''
    const stdout: NodeJS.WriteStream = Object.create(process.stdout, {
      write: {
        value(text: string) {
          output += text
        },
      },
    })
    const pathsOf = (command: Command): string[][] => [
      [],
      ...command.commands.flatMap((each) => pathsOf(each).map((path) => [each.name(), ...path])),
    ]
    const programFor = (args: string[]) =>
      createProgram({ env, stdin, stdout, stderr, signal: AbortSignal.abort() }, args)
    const paths = pathsOf(await programFor([])).filter(([first]) => first !== '__complete')
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths) {
      const args = [...path, '--help']
      output = ''
      const program = await programFor(args)
      await expect(program.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 0 })
      expect(output).toContain(`Usage: ${['svc', ...path].join(' ')} `)
      expect(output).toContain(`\nExamples:\n  $ svc ${path[0] ?? ''}`)
    }
  })

  it('prints its version', async () => {
    const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await svc(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  it.each([
    [['deploi'], "unknown command 'deploi'"],
    [['constructor'], "unknown command 'constructor'"],
    [['admin', 'keys'], "unknown command 'keys'\n(Did you mean key?)"],
    [['projects', 'x'], "unknown command 'x'"],
    [['projects', 'shw', 'web'], "unknown command 'shw'\n(Did you mean show?)"],
    [['deployments', 'shwo', 'dpl_1'], "unknown command 'shwo'\n(Did you mean show?)"],
    [['keys', 'ad', 'ci'], "unknown command 'ad'\n(Did you mean add?)"],
    [['admin', 'key', 'x'], "too many arguments for 'key'. Expected 0 arguments but got 1."],
    [['--verbose'], "unknown option '--verbose'"],
    [['projects', 'show'], "missing required argument 'project'"],
  ])('refuses unknown commands and options: svc %j', async (args, message) => {
    const outcome = await svc(args)
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(`svc: ${message}`)
  })

  it('requires a subcommand', async () => {
    const { code, stdout, stderr } = await svc(['admin'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: svc admin [\s\S]*\nsvc: Pass one of these commands\.\n$/)
  })

  it('ends quietly when its output is closed', async () => {
    const script = `'${process.execPath}' '${await svcMain()}' --help | true; echo "$PIPESTATUS"`
    const child = spawn('bash', ['--norc', '-c', script], { env: {} })
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).toEqual(['0\n', ''])
  })

  it('reports errors as JSON if JSON is requested', async () => {
    const { code, stdout, stderr } = await svc(['xyzzy', '--json'])
    expect({ code, stdout, ...JSON.parse(stderr) }).toEqual({
      code: 2,
      stdout: '',
      reason: 'usage',
      message: "unknown command 'xyzzy'",
    })
  })

  const ofClients = ['@trpc/client', '@trpc/server', 'commander', 'eventsource', 'eventsource-parser']

  it.each([
    [['--version'], []],
    [['--help'], [...ofClients, 'p-limit', 'yocto-queue'].sort()],
    [['projects'], ofClients],
  ])('loads only a client’s libraries: svc %j', async (args, packages) => {
    const coverage = join(directory, 'coverage')
    await svc(args, { NODE_V8_COVERAGE: coverage, HOME: directory }, svcModules())
    expect(await loadedPackages(coverage)).toEqual(packages)
  })

  it('shows help without valid settings', async () => {
    expect(await svc(['help'], { SVC_PORT: 'x' })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('svc admin key', () => {
  it('prints only the token on standard output, and the explanation apart', async () => {
    await startNode()
    expect(await svc(['admin', 'key'], { SVC_DATA_DIR: directory })).toEqual({
      code: 0,
      stdout: 'svc_from_the_node\n',
      stderr: 'A new owner key of team team_1. It is printed only once: store it safely.\n',
    })
  })

  it('prints the token as JSON', async () => {
    await startNode()
    const { code, stdout } = await svc(['admin', 'key', '--json'], { SVC_DATA_DIR: directory })
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, token: 'svc_from_the_node' })
  })

  it('reads .env in the working directory', async () => {
    await startNode()
    await writeFile(join(directory, '.env'), 'SVC_DATA_DIR=.\n')
    expect(await svc(['admin', 'key'])).toMatchObject({ code: 0, stdout: 'svc_from_the_node\n' })
  })

  it('warns about an unknown setting', async () => {
    await startNode()
    const outcome = await svc(['admin', 'key'], { SVC_DATA_DIR: directory, SVC_DATADIR: '/elsewhere' })
    expect(outcome).toMatchObject({ code: 0, stdout: 'svc_from_the_node\n' })
    expect(outcome.stderr).toContain(
      'SVC_DATADIR is not a setting and is ignored. Did you mean SVC_DATA_DIR?\n',
    )
  })

  it('fails, with nothing on standard output, on an invalid setting', async () => {
    const outcome = await svc(['admin', 'key'], { SVC_PORT: 'x' })
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: 'svc: SVC_PORT should be a port from 0 to 65535.\n',
    })
  })

  it('fails, with nothing on standard output, when the node does', async () => {
    await startNode(() => Promise.reject(new Error('broken')))
    expect(await svc(['admin', 'key'], { SVC_DATA_DIR: directory })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'svc: The node failed to create an owner key; see its log.\n',
    })
  })
})

describe('svc admin user', () => {
  it('prints only the link on standard output, and the explanation apart', async () => {
    await startNode()
    expect(await svc(['admin', 'user', 'ada@example.com'], { SVC_DATA_DIR: directory })).toEqual({
      code: 0,
      stdout: 'https://api.test/auth/link?token=ada%40example.com\n',
      stderr:
        'This link sets the password of ada@example.com. It works once, until 2027-01-15T08:00:00.000Z.\n',
    })
  })

  it('is for the first user if no address is given; as JSON', async () => {
    await startNode()
    const { code, stdout } = await svc(['admin', 'user', '--json'], { SVC_DATA_DIR: directory })
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      url: 'https://api.test/auth/link?token=the%20first%20user',
      expires_ms: 1_800_000_000_000,
    })
  })
})

describe('svc admin uses', () => {
  async function run(openDirectly: () => Promise<typeof directKey>, waitMs = 5000): Promise<string> {
    const { token } = await requestAdmin({
      directory,
      requested: 'createOwnerKey',
      input: {},
      openDirectly,
      waitMs,
    })
    return token
  }

  it('the running node', async () => {
    await startNode()
    const openDirectly = vi.fn(async () => directKey)
    expect(await run(openDirectly)).toBe('svc_from_the_node')
    expect(openDirectly).not.toHaveBeenCalled()
  })

  it('the database if no node runs, also before there is a data directory', async () => {
    expect(await run(async () => directKey)).toBe('svc_from_the_database')
    await rm(directory, { recursive: true })
    expect(await run(async () => directKey)).toBe('svc_from_the_database')
    await mkdir(directory)
  })

  it('a starting node, once it listens', async () => {
    await lock()
    const running = run(async () => directKey)
    await sleep(50)
    await listen()
    expect(await running).toBe('svc_from_the_node')
  })

  it('the database if the node stops meanwhile', async () => {
    const release = await lock()
    const running = run(async () => directKey)
    await sleep(50)
    await release()
    expect(await running).toBe('svc_from_the_database')
  })

  it('the node if one starts meanwhile', async () => {
    const openDirectly = async () => {
      await startNode()
      throw new DataDirectoryInUseError(directory, process.pid)
    }
    expect(await run(openDirectly)).toBe('svc_from_the_node')
  })

  it('neither when the wait is over', async () => {
    await lock()
    await expect(run(async () => directKey, 150)).rejects.toThrow(
      `The data directory is in use, but no node listens on ${join(directory, 'admin.sock')}: try again.`,
    )
  })

  it('neither when the database fails', async () => {
    const openDirectly = vi.fn(() => Promise.reject(new Error('no database')))
    await expect(run(openDirectly)).rejects.toThrow('no database')
    expect(openDirectly).toHaveBeenCalledTimes(1)
  })
})
