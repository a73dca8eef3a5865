/** Starts processes in a sandbox of bubblewrap. */
import { type ChildProcess, spawn } from 'node:child_process'
import { Duplex, Readable, Writable } from 'node:stream'
import {
  accountFiles,
  bubblewrapOptions,
  descriptors,
  firstFile,
  type Profile,
  sandboxedCommand,
} from './bubblewrap.ts'
import { type Stdio, withoutInherited } from './inherited.ts'
import type { KernelLimits } from './limits.ts'
import { routedCommand } from './listeners/local-route.ts'
import {
  handingArguments,
  type ListenerAddress,
  type Listeners,
  receiveListeners,
} from './listeners/open-listeners.ts'
import { buildFilter } from './refused-calls.ts'
import { quote } from './shell-quote.ts'
import { isChildOf, signalIfThere, terminateBelow } from './signals.ts'
import { systemPath } from './toolchain.ts'

export type Launched = {
  child: ChildProcess
  /** Resolves once its first process is there, or will not be. */
  begun: Promise<void>
  /** Those that its network was to have, before the command runs; undefined where there are none. */
  listeners: Promise<Listeners | undefined>
  /** Sends SIGTERM to the command and what it has started; kills what has not begun yet. */
  terminate(): Promise<void>
  /** Kills all its processes, soon; `child` exits once they are dead. */
  kill(): void
  /** Whether the command was started; known when `child` has closed. */
  hasStarted(): boolean
  /** The pid of the first process; undefined before it is known, and once it has ended. */
  firstPid(): number | undefined
}

/** A socket that a sandbox is given, and the descriptor that it has inside. */
export type PassedSocket = { fd: number; inside: number }

/**
 * The listeners in the network of a sandbox. With `isRouted` all addresses are its own, and its network is
 * the `given` one; else it is `own`, and a Node that is on `path` inside opens them.
 */
type WantedListeners = { addresses: readonly ListenerAddress[]; isRouted: boolean; path: string }

/**
 * `start` is the path of the script among the profile's files, which runs within `limits`; `outside` the
 * command that starts bubblewrap, and `inGroup` whether it lets a control group limit memory.
 */
export type Sandboxed = {
  profile: Profile
  start: string
  limits: KernelLimits
  outside: string[]
  inGroup: boolean
  socket?: PassedSocket | undefined
  listeners?: WantedListeners | undefined
}

/** Starts the script of a sandbox. @throws Error where there is no filter of system calls. */
export async function spawnSandbox(sandboxed: Sandboxed): Promise<Launched> {
  const { profile, start, limits, inGroup, socket, listeners } = sandboxed
  const filter = buildFilter(process.arch, { counted: inGroup })
  if (!filter) throw new Error(`There is no filter of system calls for ${process.arch}.`)
  const files = { ...accountFiles(profile), ...profile.files }
  const contents = Object.values(files)
  const pipes: Stdio = Array.from({ length: firstFile + contents.length }, () => 'pipe')
  pipes[0] = 'ignore'
  pipes[descriptors.channel] = listeners ? 'ipc' : 'ignore'
  const before = listeners && !listeners.isRouted ? openInside(listeners) : []
  const command = sandboxedCommand(profile, start, limits, { perProcess: !inGroup, before })
  const outside = [...sandboxed.outside, ...(listeners?.isRouted ? routed(listeners) : [])]
  const child = await spawnAlone([...outside, 'bwrap', '--args', `${descriptors.options}`, ...command], {
    cwd: '/',
    env: { PATH: systemPath },
    stdio: withSocket(pipes, socket),
  })
  const options = bubblewrapOptions({ ...profile, files })
  send(child, descriptors.options, options.map((option) => `${option}\0`).join(''))
  send(child, descriptors.filter, filter)
  for (const [index, content] of contents.entries()) send(child, firstFile + index, content)
  const handed = listeners ? receiveListeners(child, listeners.addresses) : Promise.resolve(undefined)
  return { ...followStatus(child), listeners: handed }
}

const { channel } = descriptors

function routed({ addresses }: WantedListeners): string[] {
  return routedCommand(addresses, channel)
}

/** Nothing of bubblewrap's own environment is left. */
function openInside({ addresses, path }: WantedListeners): string[] {
  const args = handingArguments(addresses).map(quote).join(' ')
  return [`PATH=${quote(path)} NODE_CHANNEL_FD=${channel} node ${args}`, `exec ${channel}>&-`]
}

/** `stdio` with a socket at its place. */
export function withSocket(stdio: Stdio, socket: PassedSocket | undefined): Stdio {
  if (!socket) return stdio
  const between = Array.from({ length: socket.inside - stdio.length }, () => 'ignore' as const)
  return [...stdio, ...between, socket.fd]
}

/**
 * bubblewrap reports the pid of the first process of the sandbox, and its exit status if the command ran.
 * Killing that process kills all others before bubblewrap exits; killing bubblewrap itself does not.
 */
function followStatus(child: ChildProcess): Omit<Launched, 'listeners'> {
  let said = ''
  let isToDie = false
  const status = descriptorOf(child, descriptors.status)
  const word = descriptorOf(child, descriptors.word)

  /** Undefined before it was reported, and once it has ended. */
  function firstPid(): number | undefined {
    const first = /"child-pid": (\d+)/.exec(said)?.[1]
    return first !== undefined && isChildOf(Number(first), child.pid) ? Number(first) : undefined
  }

  function kill(): void {
    isToDie = true
    const first = firstPid()
    // Before it has reported the pid it would be too early.
    if (first !== undefined) signalIfThere(first, 'SIGKILL')
  }

  async function terminate(): Promise<void> {
    const first = firstPid()
    return first === undefined ? kill() : terminateBelow(first)
  }

  if (status instanceof Readable) {
    status.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (isToDie) kill()
    })
  }
  const begun = word instanceof Duplex ? answerWord(word) : Promise.resolve()
  return { child, begun, terminate, kill, hasStarted: () => said.includes('"exit-code"'), firstPid }
}

/** Resolves when it was answered, or the sandbox has ended before. */
function answerWord(word: Duplex): Promise<void> {
  word.on('error', () => {})
  return new Promise((resolve) => {
    word.once('close', resolve).once('data', () => {
      word.end('\n')
      resolve()
    })
  })
}

/** Starts a command with a process group and session of its own, unaffected by Ctrl-C in our terminal. */
export async function spawnAlone(
  [file = '', ...args]: string[],
  options: { cwd: string; env: Record<string, string>; stdio: Stdio },
): Promise<ChildProcess> {
  return withoutInherited(options.stdio, (stdio) => spawn(file, args, { ...options, stdio, detached: true }))
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
