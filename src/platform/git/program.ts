/** Runs git as a program of its own: within limits, and with no configuration but ours. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** Of the pack of one push, which has history besides files. */
export const maxPackBytes = 1024 * 1024 * 1024

/**
 * Force pushes stay allowed: deployments are immutable, and a push after a rebase is a normal one. Packs are
 * kept as they come, since loose objects would be inflated in memory. Faults that many old repositories have
 * and that harm nothing pass the check of objects.
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
  'receive.fsck.zeroPaddedFilemode=ignore',
  'receive.fsck.missingSpaceBeforeDate=ignore',
  'receive.fsck.badTimezone=ignore',
  'receive.shallowUpdate=true',
  'receive.advertisePushOptions=true',
  'receive.advertiseAtomic=false',
  'receive.denyDeleteCurrent=ignore',
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

/** The command and the arguments before those of git, which only Linux limits. */
const limited = process.platform === 'linux' ? ['prlimit', ...limits, '--', 'git'] : ['git']

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
