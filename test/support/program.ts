/** The built program as a process of its own, driven from outside. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { refuseBlocks, watchBusy } from './busy.ts'
import { keepLog, knowSecret, knowSecretsOf } from './kept-logs.ts'
import { pretendOneDirectory } from './one-directory.ts'
import { generousRates } from './rates.ts'
import { watchAnswersOf } from './recorder.ts'
import { prepareDataDirectory } from './template.ts'

const execute = promisify(execFile)

export type Program = {
  process: ChildProcess
  apiUrl: string
  /** The address of the site with a label. */
  siteUrl(label: string): string
  /** The owner key, if the start printed one. */
  key: string | undefined
  stdout(): string
  stderr(): string
  /** Sends the signal and resolves to the exit code, or the signal's name, when the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | string | null>
}

type Start = {
  isThisVersion?: boolean
  /** The directory of the group of processes that the program joins. */
  group?: string | undefined
  /** The number of its user and of its group, which only root may choose. */
  uid?: number | undefined
}

/**
 * A directory of the test's own, removed after the run at the latest, with a path short enough for a socket
 * in it.
 */
export function newDataDirectory(): Promise<string> {
  return mkdtemp(join(inject('dataDirectories'), 'svc-'))
}

/**
 * Starts the program, on a template if it uses an embedded database, and waits until it is ready.
 * @throws with its output when it ends instead.
 */
export async function startProgram(
  environment: Record<string, string>,
  start: Pick<Start, 'group' | 'uid'> = {},
): Promise<Program> {
  const { DATABASE_URL, SVC_DATA_DIR } = environment
  if (SVC_DATA_DIR !== undefined) {
    await (DATABASE_URL === undefined ? prepareDataDirectory : pretendOneDirectory)(SVC_DATA_DIR)
    if (start.uid !== undefined) await execute('chown', ['-R', `${start.uid}:${start.uid}`, SVC_DATA_DIR])
  }
  return startOnWhatIsThere(environment, 'dist/main.js', start)
}

/** Puts itself into a group of processes, and becomes the program. */
const intoGroup = 'echo $$ > "$0/cgroup.procs" && exec "$@"'

/** As `startProgram`, but with an empty data directory, in which the program creates everything itself. */
export async function startOnWhatIsThere(
  environment: Record<string, string>,
  main = 'dist/main.js',
  { isThisVersion = true, group, uid }: Start = {},
): Promise<Program> {
  knowSecretsOf(environment)
  const keepErrors = keepLog('stderr')
  const busyFile = join(inject('directory'), `busy-${randomUUID()}`)
  const command = [process.execPath, main]
  const [file = '', ...args] = group === undefined ? command : ['sh', '-c', intoGroup, group, ...command]
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH,
      SVC_PORT: '0',
      SVC_EDGE_PORT: '0',
      SVC_INTERNAL_PORT: '0',
      SVC_STOP_MS: '3000',
      // Whether it has been built must make no difference.
      SVC_DASHBOARD: 'off',
      // Many nodes run at once, which share the connections of one server.
      SVC_DATABASE_CONNECTIONS: '1',
      ...generousRates,
      // The embedded database runs in the program's own thread.
      ...(environment.DATABASE_URL && isThisVersion && watchBusy(busyFile)),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let stdout = ''
  let stderr = ''
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const line = /svc is ready\. (.*)\n/.exec(stdout)?.[1]
      if (line !== undefined) resolve(line)
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
      keepErrors(String(chunk))
    })
    child.once('exit', (code) => reject(new Error(`The program ended with ${code}: ${stderr}`)))
  })
  const greeting = await ready
  // Each only where the node has that role.
  const apiUrl = /API: (\S+)/.exec(greeting)?.[1] ?? ''
  const sites = /sites: http:\/\/<name>\.([^\s,]+)/.exec(greeting)?.[1] ?? ''
  if (isThisVersion && apiUrl !== '') watchAnswersOf(apiUrl)
  // The greeting is written at once, but may arrive in more than one piece.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const key = /^svc_\w+$/m.exec(stdout)?.[0]
  knowSecret('the first key', key)
  knowSecret("the token of the first person's link", /\/auth\/link\?token=(\S+)$/m.exec(stdout)?.[1])
  const keepOutput = keepLog('stdout')
  child.once('close', () => keepOutput(withoutGreeting(stdout)))
  return {
    process: child,
    apiUrl,
    siteUrl: (label) => `http://${label}.${sites}`,
    key,
    stdout: () => stdout,
    stderr: () => stderr,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
      await refuseBlocks(busyFile)
      return child.exitCode ?? child.signalCode
    },
  }
}

/** A program's output, without the line with the first key and the line with the first link. */
function withoutGreeting(stdout: string): string {
  return stdout.replace(/^svc_\w+$/m, '').replace(/^http\S+\/auth\/link\?token=\S+$/m, '')
}

/** A GET of a site. Its name is sent as `Host`, since not every resolver knows names below localhost. */
export async function visit(url: string): Promise<{ status: number; text: string }> {
  const { hostname, port, host, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host }
    const sent = request({ host: '127.0.0.1', port, path: pathname, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
      response.on('error', reject)
    })
    sent.on('error', (error) => reject(new Error(`${hostname} could not be reached.`, { cause: error })))
    sent.end()
  })
}
