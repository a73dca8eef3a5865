/** The `svc` command as a process of its own, with a home that no other test has. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { compile } from '../data-dir/compiled.ts'
import type { TestNode } from '../support/node.ts'

type Outcome = { code: number; stdout: string; stderr: string }

/** Runs `svc` with these arguments. */
export type Svc = (args: string[], options?: Options) => Promise<Outcome>

type Options = {
  env?: Record<string, string>
  input?: string
  cwd?: string
  started?: (child: ChildProcess) => void
}

let compiled: Promise<string> | undefined

/** The path of the compiled command, which the tests of this process share. */
export async function svcMain(): Promise<string> {
  compiled ??= compile('cli/main.ts')
  return join(await compiled, 'dist/cli/main.js')
}

/** A new empty home directory, and what runs `svc` in it with no environment but what is given. */
export async function newHome() {
  const home = await mkdtemp(join(inject('directory'), 'home-'))
  await mkdir(join(home, 'work'))
  const svc: Svc = async (args, { env, input = '', cwd, started } = {}) => {
    const child = spawn(process.execPath, [await svcMain(), ...args], {
      cwd: cwd ?? join(home, 'work'),
      env: { HOME: home, ...env },
    })
    started?.(child)
    // A command that reads nothing may be gone before all is written.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { code: Number(code), stdout, stderr }
  }
  return { home, svc, credentialsPath: join(home, '.config/svc/credentials.json') }
}

/** What runs `svc` as the holder of `key`, which is in the environment. */
export async function svcWith(node: TestNode, key: string): Promise<Svc> {
  const { svc } = await newHome()
  const environment = { SVC_URL: node.apiUrl, SVC_TOKEN: key }
  return (args, options = {}) => svc(args, { ...options, env: { ...environment, ...options.env } })
}
