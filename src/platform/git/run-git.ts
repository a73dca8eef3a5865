/** Runs git as a program of its own: within limits, and with no configuration but ours. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { hasCode } from '../../lib/has-code.ts'

/** Of the pack of one push, which has history besides files. */
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

/** Of one process: seconds of the processor, and bytes of memory besides mapped packs. */
const limits = ['--cpu=300', `--data=${1024 * 1024 * 1024}`, '--core=0', '--nofile=1024']

const isLimited = process.platform === 'linux'

/** The command and the arguments before those of git, which only Linux limits. */
const limited = isLimited ? ['prlimit', ...limits, '--', 'git'] : ['git']

/** How long a command may take in milliseconds, waiting for the pack of a slow client included. */
const timeoutMs = 60 * 60_000

/** Starts git in a bare repository; its processes are killed once `signal` aborts. */
export function startGit(
  directory: string,
  args: string[],
  signal?: AbortSignal,
): ChildProcessWithoutNullStreams {
  const [file = 'git', ...before] = limited
  return spawn(file, [...before, ...configuration, `--git-dir=${directory}`, ...args], {
    cwd: '/',
    env: environment,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  })
}

type Tree = {
  /** Each is `name=value`. */
  settings: readonly string[]
  /** Variables, which no other user of the system sees, as opposed to arguments. */
  variables: Record<string, string>
  /** No file that is written may become larger; only Linux limits that. */
  maxFileBytes: number
  signal: AbortSignal
}

/**
 * Starts git in a bare repository for a command that starts programs of its own: they are killed, too, once
 * `signal` aborts. Standard input is empty.
 */
export function startGitTree(
  directory: string,
  args: string[],
  { settings, variables, maxFileBytes, signal }: Tree,
): ChildProcessWithoutNullStreams {
  const [file = 'git', ...before] = isLimited
    ? ['prlimit', `--fsize=${maxFileBytes}`, '--', ...limited]
    : limited
  const own = [...configuration, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(file, [...before, ...own, `--git-dir=${directory}`, ...args], {
    cwd: '/',
    env: { ...environment, ...variables },
    // Makes it the first of a group of processes, which a signal can be sent to as a whole.
    detached: true,
  })
  const kill = () => killGroup(child.pid)
  signal.addEventListener('abort', kill)
  child.once('close', () => signal.removeEventListener('abort', kill))
  if (signal.aborted) kill()
  child.stdin.on('error', () => {}).end()
  return child
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It has ended meanwhile.
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** The output of a git command that has to succeed. @throws Error with what it wrote to standard error. */
export async function runGit(directory: string, args: string[], input = ''): Promise<Buffer> {
  const child = startGit(directory, args)
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code, stdout, stderr] = await Promise.all([
    exitOf(child),
    buffer(child.stdout),
    buffer(child.stderr),
  ])
  if (code === 0) return stdout
  throw new Error(`git ${args[0]} ended with ${code}: ${stderr.toString().trim().slice(0, 1_000)}`)
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
  const [file = 'git', ...before] = limited
  version ??= promisify(execFile)(file, [...before, '--version'], { env: environment }).then(
    ({ stdout }) => /\d[\d.]*/.exec(stdout)?.[0],
    () => undefined,
  )
  return version
}
