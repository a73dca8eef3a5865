/** Starts the processes of a build, in a sandbox or, if all builders are trusted, without one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { accountFiles, bubblewrapOptions, descriptors, sandboxedCommand } from './bubblewrap.ts'
import { withoutInherited } from './inherited.ts'
import { type Limits, limitingCommand, yieldingCommand } from './limits.ts'
import { enterGroup, type MemoryGroup } from './memory-group.ts'
import { buildFilter } from './refused-calls.ts'
import { startForwarder } from './registries/forwarder.ts'
import type { BuildNetwork } from './registries/network.ts'
import { buildEnv, inside, startScript, yieldAsGroup } from './start-script.ts'
import { readToolchain, systemPath } from './toolchain.ts'
import { withoutRetries } from './without-retries.ts'
import type { Workspace } from './workspace.ts'

/** `none` means no isolation: builds run as this process's user with all its access. */
export type Isolation = 'bubblewrap' | 'none'

/** `directory` is the command's working directory, relative to the workspace's files. */
export type Launch = {
  isolation: Isolation
  workspace: Workspace
  command: string
  directory: string
  env: Record<string, string>
  limits: Limits
  network: BuildNetwork
}

export type Launched = {
  child: ChildProcess
  /** Kills all its processes, soon; `child` exits once they are dead. */
  kill(): void
  /** Whether the command was started; known when `child` has closed. */
  hasStarted(): boolean
}

/** Starts the command; its processes are in the control group, if any. */
export async function launch(input: Launch, group: MemoryGroup | undefined): Promise<Launched> {
  const before = group ? ['/bin/sh', '-c', `${enterGroup} && exec "$@"`, group.procs] : []
  const start = input.isolation === 'none' ? launchPlain : launchSandboxed
  return start(input, before, { perProcess: group === undefined })
}

/** `before` is the command to enter the group; without one, memory is limited per process. */
async function launchPlain(
  input: Launch,
  before: string[],
  memory: { perProcess: boolean },
): Promise<Launched> {
  const { workspace, command, directory, limits } = input
  const limiting =
    process.platform === 'linux'
      ? [...yieldingCommand(limits), ...limitingCommand(limits, { perUser: false, ...memory })]
      : []
  const script = `${yieldAsGroup(limits.niceness)}; cd "$1" || exit; exec /bin/sh -c "$0"`
  const shell = ['/bin/sh', '-c', script, command, join(workspace.files, directory)]
  const path = `${join(process.execPath, '..')}:${systemPath}`
  const child = await spawnAlone([...before, ...limiting, ...shell], {
    cwd: workspace.files,
    env: { TMPDIR: workspace.temporary, ...buildEnv(input.env, { path, home: workspace.home }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => {
    if (child.pid !== undefined) killIfThere(-child.pid)
  }
  // Background processes it left; those in another process group are out of reach.
  child.once('exit', () => {
    kill()
    setTimeout(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, leftOutputMs).unref()
  })
  return { child, kill, hasStarted: () => child.pid !== undefined }
}

/** How long to wait for the end of the output, which an unreachable process may hold open. */
const leftOutputMs = 500

async function launchSandboxed(
  input: Launch,
  before: string[],
  memory: { perProcess: boolean },
): Promise<Launched> {
  const { workspace, limits, network } = input
  const toolchain = await readToolchain()
  const given = network === 'none' ? { ...withoutRetries, ...input.env } : input.env
  const env = buildEnv(given, { path: toolchain.path, home: inside.home })
  const filter = buildFilter(process.arch, { counted: !memory.perProcess })
  if (!filter) throw new Error(`There is no filter of system calls for ${process.arch}.`)
  const command = sandboxedCommand(workspace, limits, memory)
  const child = await spawnAlone(
    [...before, ...yieldingCommand(limits), 'bwrap', '--args', `${descriptors.options}`, ...command],
    {
      cwd: '/',
      env: { PATH: systemPath },
      stdio: ['ignore', 'pipe', 'pipe', ...Object.keys(descriptors).map(() => 'pipe' as const)],
    },
  )
  const forwarding = typeof network === 'object' ? startForwarder(toolchain.path) : []
  const options = bubblewrapOptions({ workspace, network, toolchain })
  const accounts = accountFiles(workspace)
  send(child, descriptors.options, options.map((option) => `${option}\0`).join(''))
  send(
    child,
    descriptors.start,
    startScript({ ...input, env, before: forwarding, niceness: limits.niceness }),
  )
  send(child, descriptors.passwd, accounts.passwd)
  send(child, descriptors.group, accounts.group)
  send(child, descriptors.hosts, accounts.hosts)
  send(child, descriptors.filter, filter)
  return followStatus(child)
}

/**
 * bubblewrap reports the pid of the first process of the sandbox, and its exit status if the command ran.
 * Killing that process kills all others before bubblewrap exits; killing bubblewrap itself does not.
 */
function followStatus(child: ChildProcess): Launched {
  let said = ''
  let isToDie = false
  const status = descriptorOf(child, descriptors.status)

  function kill(): void {
    isToDie = true
    const first = /"child-pid": (\d+)/.exec(said)?.[1]
    // Before it has reported the pid it would be too early.
    if (first !== undefined && isChildOf(Number(first), child.pid)) killIfThere(Number(first))
  }

  if (status instanceof Readable) {
    status.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (isToDie) kill()
    })
  }
  return { child, kill, hasStarted: () => said.includes('"exit-code"') }
}

async function spawnAlone(
  [file = '', ...args]: string[],
  options: { cwd: string; env: Record<string, string>; stdio: ('ignore' | 'pipe')[] },
): Promise<ChildProcess> {
  return withoutInherited(options.stdio, (stdio) =>
    // A process group and session of its own, unaffected by Ctrl-C in our terminal.
    spawn(file, args, { ...options, stdio, detached: true }),
  )
}

function send(child: ChildProcess, descriptor: number, content: string | Buffer): void {
  const stream = descriptorOf(child, descriptor)
  if (!(stream instanceof Writable)) return
  // The child may exit before it has read everything; its exit status has the reason.
  stream.on('error', () => {})
  stream.end(content)
}

/** Node's types allow five. */
function descriptorOf({ stdio }: { stdio: readonly unknown[] }, descriptor: number): unknown {
  return stdio[descriptor]
}

function isChildOf(pid: number, parent: number | undefined): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === `${parent}`
  } catch {
    return false
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has exited.
  }
}
