/**
 * A newcomer's first steps with the commands of the README, from a bare clone to a live site. It prints how
 * long each takes.
 * @module-tag long
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowSecret } from '../support/kept-logs.ts'
import { visit } from '../support/program.ts'

const run = promisify(execFile)
const maxCommands = 7
const maxMegabytes = 300

let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-newcomer-'))
  await run('git', ['clone', '--quiet', '.', join(directory, 'svc')])
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** The commands before the first live site, one line each, as they are in the README's first two blocks. */
async function readmeCommands(): Promise<string[]> {
  const readme = await readFile(join(directory, 'svc/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].slice(0, 2).map(([, block = '']) => block)
  return blocks.flatMap((block) => block.trim().split(/\n| && /))
}

/** The disk space of a directory, in MB, as `du` counts it. */
async function megabytesOf(path: string): Promise<number> {
  return Number.parseInt((await run('du', ['-sm', path])).stdout, 10)
}

/** A node's output until its greeting is complete. */
async function untilGreeted(stdout: Readable): Promise<string> {
  let greeting = ''
  return new Promise((resolve, reject) => {
    stdout.on('end', () => reject(new Error(`The node ended: ${greeting}`)))
    stdout.on('data', (chunk) => {
      greeting += chunk
      if (/svc is ready.*\n/.test(greeting)) resolve(greeting)
    })
  })
}

it('leads to a live site in few commands, with an installation of no more than 300 MB', async () => {
  const commands = await readmeCommands()
  const [install = '', start = '', ...others] = commands
  expect([install, start]).toEqual(['npm install', 'npm start'])
  // Including the clone.
  expect(commands.length + 1).toBeLessThanOrEqual(maxCommands)

  const cwd = join(directory, 'svc')
  const ports = { SVC_PORT: '0', SVC_EDGE_PORT: '0', SVC_INTERNAL_PORT: '0' }
  // The registry and cache of the user who runs this; the command's own files go elsewhere.
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    XDG_CONFIG_HOME: join(directory, 'config'),
    ...ports,
    // Its build goes on in a session of its own after this ends.
    SVC_DASHBOARD: 'off',
  }
  const beganMs = performance.now()
  const { stderr } = await run('sh', ['-e', '-c', install], { cwd, env })
  const installedMs = performance.now()
  const warnings = stderr.split('\n').filter((line) => line.startsWith('npm warn'))
  // npm's warnings about that user's settings are not about the package.
  expect(warnings.filter((line) => !/ Unknown (user|env) config /.test(line))).toEqual([])
  const megabytes = await megabytesOf(join(cwd, 'node_modules'))
  expect(megabytes).toBeLessThanOrEqual(maxMegabytes)

  const node = spawn('sh', ['-c', `exec ${start}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    const greeting = await untilGreeted(node.stdout)
    const [, apiUrl = ''] = /API: (\S+)/.exec(greeting) ?? []
    const [, key = ''] = /^(svc_\w+)$/m.exec(greeting) ?? []
    knowSecret('the first key', key)
    const script = others.join('\n').replaceAll('http://localhost:3000', apiUrl)
    const commanded = spawn('sh', ['-e', '-c', script], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
    commanded.stdin.end(key)
    const address = (await text(commanded.stdout)).trim().split('\n').at(-1) ?? ''
    expect(await visit(address)).toMatchObject({ status: 200 })
    const liveMs = performance.now()
    const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`
    const took = `${seconds(installedMs - beganMs)}, ${megabytes} MB; live after ${seconds(liveMs - beganMs)}`
    process.stdout.write(` npm install: ${took}\n`)
  } finally {
    if (node.pid !== undefined) process.kill(-node.pid, 'SIGTERM')
    if (node.exitCode === null) await once(node, 'exit')
  }
  expect((await run('git', ['status', '--porcelain'], { cwd })).stdout).toBe('')
}, 300_000)
