/**
 * The `svc` command, with a home that no other test has: within the test's process or, where that is tested,
 * as one of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../../src/cli/run-command.ts'
import { compile } from '../stores/data-dir/compiled.ts'
import type { TestNode } from '../support/node.ts'

type Outcome = { code: number; stdout: string; stderr: string }

/** Runs `svc` with these arguments. */
export type Svc = (args: string[], options?: Options) => Promise<Outcome>

type Options = {
  env?: Record<string, string>
  input?: string
  cwd?: string
  /** If set, the command is a process of its own. */
  started?: (child: ChildProcess) => void
}

type Surroundings = { env: Record<string, string>; input: string; cwd: string }

let compiled: Promise<string> | undefined

/**
 * The path of the command that the tests of this process share: the one file that users have, which starts
 * in half the time of its modules, or else those, compiled.
 */
export async function svcMain(): Promise<string> {
  const modules = await svcModules()
  const bundled = join(modules, '../../svc.cjs')
  return existsSync(bundled) ? bundled : modules
}

/** The path of the command whose modules are files of their own, as those of its libraries are. */
export async function svcModules(): Promise<string> {
  compiled ??= compile('cli/main.ts')
  return join(await compiled, 'dist/cli/main.js')
}

/** A new empty home directory, and a function that runs `svc` in it with only the given environment. */
export async function newHome() {
  const home = await mkdtemp(join(inject('directory'), 'home-'))
  await mkdir(join(home, 'work'))
  const svc: Svc = (args, { env, input = '', cwd = join(home, 'work'), started } = {}) => {
    const surroundings = { env: { HOME: home, ...env }, input, cwd }
    return started ? runProcess(args, surroundings, started) : runHere(args, surroundings)
  }
  return { home, svc, credentialsPath: join(home, '.config/svc/credentials.json') }
}

/** A function that runs `svc` with `key` in its environment. */
export async function svcWith(node: TestNode, key: string): Promise<Svc> {
  const { svc } = await newHome()
  const environment = { SVC_URL: node.apiUrl, SVC_TOKEN: key }
  return (args, options = {}) => svc(args, { ...options, env: { ...environment, ...options.env } })
}

const outside = { directory: process.cwd(), home: process.env.HOME }
let running = 0

/** Takes a thirtieth of the time of a process. Concurrent runs have to share a directory and a home. */
async function runHere(args: string[], { env, input, cwd }: Surroundings): Promise<Outcome> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  stdin.end(input)
  const output = Promise.all([text(stdout), text(stderr)])
  running += 1
  process.chdir(cwd)
  process.env.HOME = env.HOME
  try {
    const io = { env, stdin: readStream(stdin), stdout: writeStream(stdout), stderr: writeStream(stderr) }
    const code = await runCommand(args, { ...io, signal: new AbortController().signal })
    stdout.end()
    stderr.end()
    const [written, warned] = await output
    return { code, stdout: written, stderr: warned }
  } finally {
    running -= 1
    if (running === 0) {
      process.chdir(outside.directory)
      process.env.HOME = outside.home
    }
  }
}

/** Without a terminal's properties, like a pipe. */
const readStream = (stream: PassThrough) => z.custom<NodeJS.ReadStream>().parse(stream)
const writeStream = (stream: PassThrough) => z.custom<NodeJS.WriteStream>().parse(stream)

async function runProcess(
  args: string[],
  { env, input, cwd }: Surroundings,
  started: (child: ChildProcess) => void,
): Promise<Outcome> {
  const child = spawn(process.execPath, [await svcMain(), ...args], { cwd, env })
  started(child)
  // A command that reads nothing may exit before everything is written.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: Number(code), stdout, stderr }
}
