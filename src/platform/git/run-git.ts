/** Runs git as a program of its own: within limits, and with no configuration but ours. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { hasCode } from '../../lib/has-code.ts'
import { markName } from './end-left.ts'
import { readAtMost } from './read-at-most.ts'

/** The largest pack of one push, which has history besides files. */
export const maxPackBytes = 1024 * 1024 * 1024

/** Faults that many old repositories have and that harm nothing: they pass the check of objects. */
const toleratedFaults = ['zeroPaddedFilemode', 'missingSpaceBeforeDate', 'badTimezone']

/**
 * Force pushes stay allowed: deployments are immutable, and a push after a rebase is a normal one. Packs are
 * kept as they come, since loose objects would be inflated in memory.
 */
const configuration = [
  'core.hooksPath=/dev/null',
  'safe.directory=*',
  // Pushes to one repository wait for each other.
  'core.filesRefLockTimeout=5000',
  'core.bigFileThreshold=1m',
  'core.deltaBaseCacheLimit=16m',
  'pack.windowMemory=64m',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'pack.threads=1',
  'gc.auto=0',
  'receive.autogc=false',
  'receive.unpackLimit=1',
  `receive.maxInputSize=${maxPackBytes}`,
  'receive.fsckObjects=true',
  ...toleratedFaults.map((fault) => `receive.fsck.${fault}=ignore`),
  'receive.shallowUpdate=true',
  'receive.advertisePushOptions=true',
  'receive.advertiseAtomic=false',
  'receive.denyDeleteCurrent=ignore',
  'fetch.unpackLimit=1',
  'fetch.fsckObjects=true',
  ...toleratedFaults.map((fault) => `fetch.fsck.${fault}=ignore`),
].flatMap((setting) => ['-c', setting])

const environment = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
}

/** The processor time of one process, in seconds: where packs are taken or made, and elsewhere. */
const cpuS = { long: 300, short: 60 }

/** The memory of one process, in bytes, besides mapped packs. */
let memoryBytes = 1024 * 1024 * 1024

/** Sets how much memory a process of git may use from now on, in bytes, besides mapped packs. */
export function limitGitMemory(bytes: number): void {
  memoryBytes = bytes
}

/** It yields to what answers requests. */
const niceness = 5

const isLimited = process.platform === 'linux'

type Limits = {
  /** Whether it takes or makes packs. */
  isLong?: boolean
  /** Whether it starts programs of its own, which are to end with it. */
  isTree?: boolean
  /** No file that is written may become larger; only Linux limits that. */
  maxFileBytes?: number
}

/**
 * The command and the arguments before those of git, which only Linux limits. There it ends with the process
 * that started it, too.
 */
function limited({ isLong = false, isTree = false, maxFileBytes }: Limits = {}): string[] {
  if (!isLimited) return ['git']
  const limits = [
    `--cpu=${isLong ? cpuS.long : cpuS.short}`,
    `--data=${memoryBytes}`,
    '--core=0',
    '--nofile=1024',
    ...(maxFileBytes === undefined ? [] : [`--fsize=${maxFileBytes}`]),
  ]
  const yielding = ['nice', '-n', String(niceness), 'setpriv', '--pdeathsig', isTree ? 'TERM' : 'KILL', '--']
  return [...yielding, ...(isTree ? guard : []), 'prlimit', ...limits, '--', 'git']
}

/** How long git may take to remove what it had put aside, once it is to end. */
const tidyMs = 5_000

/**
 * Runs a command as a part of its own group of processes. A SIGTERM reaches all of them, so that git can tidy
 * up, and what has not ended then is killed.
 */
const guard = [
  'sh',
  '-c',
  `exec 3<&0 </dev/null
  end() {
    trap "" TERM
    kill -TERM 0
    (sleep ${tidyMs / 1_000}; kill -KILL 0) >/dev/null 2>&1 &
    wait $child
    kill -KILL 0
  }
  trap end TERM
  "$@" <&3 3<&- &
  child=$!
  exec 3<&-
  wait $child`,
  'sh',
]

/** How long a command may take in milliseconds, waiting for the pack of a slow client included. */
const timeoutMs = { long: 60 * 60_000, short: 10 * 60_000 }

/** Git did not do what it was to do: it met a limit, or an object that is missing or damaged. */
export class GitFailed extends Error {}

/** Starts git in a bare repository; it is killed once `signal` aborts. */
export function startGit(
  directory: string,
  args: string[],
  { signal }: { signal?: AbortSignal } = {},
): ChildProcessWithoutNullStreams {
  const [file = 'git', ...before] = limited()
  return spawn(file, [...before, ...configuration, `--git-dir=${directory}`, ...args], {
    cwd: '/',
    env: { ...environment, [markName]: directory },
    timeout: timeoutMs.short,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  })
}

type Tree = Pick<Limits, 'maxFileBytes'> & {
  /** Each is `name=value`. */
  settings?: readonly string[]
  /** Variables, which no other user of the system sees, as opposed to arguments. */
  variables?: Record<string, string>
  signal: AbortSignal
}

/**
 * Starts git in a bare repository for a command that takes or makes packs, and starts programs of its own:
 * they end, too, once `signal` aborts, and with the process that started them. Git tidies up then; it is
 * killed only if that takes too long.
 */
export function startGitTree(
  directory: string,
  args: string[],
  { settings = [], variables = {}, maxFileBytes, signal }: Tree,
): ChildProcessWithoutNullStreams {
  const [file = 'git', ...before] = limited({
    isLong: true,
    isTree: true,
    ...(maxFileBytes !== undefined && { maxFileBytes }),
  })
  const own = [...configuration, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(file, [...before, ...own, `--git-dir=${directory}`, ...args], {
    cwd: '/',
    env: { ...environment, [markName]: directory, ...variables },
    // Makes it the first of a group of processes, which a signal can be sent to as a whole.
    detached: true,
  })
  let killing: NodeJS.Timeout | undefined
  const end = () => {
    signalGroup(child.pid, 'SIGTERM')
    killing ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), tidyMs + killAfterMs)
  }
  const late = setTimeout(end, timeoutMs.long).unref()
  signal.addEventListener('abort', end)
  child.once('close', () => {
    clearTimeout(late)
    clearTimeout(killing)
    signal.removeEventListener('abort', end)
  })
  if (signal.aborted) end()
  child.stdin.on('error', () => {})
  return child
}

/** Where the guard does not do it. */
const killAfterMs = 1_000

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // It has ended meanwhile.
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** The most output and time of a command that has to succeed. */
const most = { bytes: 16 * 1024 * 1024, ms: { long: 10 * 60_000, short: 60_000 } }

/** The most that is kept of standard error, in bytes; the rest is dropped. */
const maxSaidBytes = 4_000

/**
 * The output of a git command that has to succeed.
 * @throws GitFailed with what it wrote to standard error; also where the output or the time exceeds the
 * bounds.
 */
export async function runGit(
  directory: string,
  args: string[],
  input = '',
  { isLong = false }: Pick<Limits, 'isLong'> = {},
): Promise<Buffer> {
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(isLong ? most.ms.long : most.ms.short)])
  const child = isLong ? startGitTree(directory, args, { signal }) : startGit(directory, args, { signal })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const said = keepSaid(child)
  const exit = exitOf(child)
  try {
    const stdout = await readAtMost(child.stdout, most.bytes)
    const code = await exit
    if (code === 0) return stdout
    throw new GitFailed(`git ${args[0]} ended with ${code}: ${said().trim().slice(0, 1_000)}`)
  } catch (error) {
    ended.abort()
    throw error instanceof GitFailed ? error : new GitFailed(`git ${args[0]} was ended.`, { cause: error })
  }
}

/** Keeps the beginning of what a command writes to standard error, and reads the rest. */
export function keepSaid(child: ChildProcessWithoutNullStreams): () => string {
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < maxSaidBytes) said = (said + text).slice(0, maxSaidBytes)
  })
  return () => said
}

/** The exit code; -1 if it was killed. @throws Error if it could not be started. */
export function exitOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  const exit = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })
  // Whoever reads the output first comes to the failure only then.
  exit.catch(() => {})
  return exit
}

let version: Promise<string | undefined> | undefined

/** The version of git here; undefined where it, or what limits it, is missing. Looked for once. */
export function gitVersion(): Promise<string | undefined> {
  const [file = 'git', ...before] = limited()
  version ??= promisify(execFile)(file, [...before, '--version'], { env: environment }).then(
    ({ stdout }) => /\d[\d.]*/.exec(stdout)?.[0],
    () => undefined,
  )
  return version
}
