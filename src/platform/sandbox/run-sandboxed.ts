/** Runs one command of a build within its limits and collects its output. */
import { once } from 'node:events'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import { describeExit, type Exit } from './describe-exit.ts'
import { type Launch, launch } from './launch.ts'
import { lineBytes } from './limits.ts'
import { type MemoryGroup, makeMemoryGroup } from './memory-group.ts'
import { createLineReader } from './read-lines.ts'
import type { Redactor } from './redact.ts'
import { type RegistryProxy, startRegistryProxy } from './registries/proxy.ts'
import type { Launched } from './spawn-sandbox.ts'
import { takeChunks } from './take-chunks.ts'
import { type Exceeded, watchUse } from './watch.ts'
import { proxySocket } from './workspace.ts'

/** A line of a build's output, without escape sequences, control characters and secrets. */
export type BuildLine = { text: string; stream: 'stdout' | 'stderr'; timeMs: number }

/** `onLine` must not throw. The total of its lines is bounded by `limits.logBytes`. */
export type BuildRun = Launch & {
  redactor: Redactor
  signal: AbortSignal
  /** The reserve of the workspace's disk. */
  disk: DiskReserve
  nowMs: () => number
  onLine: (line: BuildLine) => void
}

/** Why a run was killed. */
type Stopped = Exceeded | 'timeout' | 'aborted' | 'log_limit'

/** How a run ended. */
export type Ended = ({ how: 'exited' } & Exit) | { how: Stopped }

/**
 * Resolves when no process of the run is left (without a sandbox: none of its process group).
 * @throws Error when the sandbox could not be set up, with bubblewrap's message.
 */
export async function runSandboxed(run: BuildRun): Promise<Ended> {
  if (run.signal.aborted) return { how: 'aborted' }
  const proxy = await startProxy(run)
  const group = await makeMemoryGroup(run.limits.memoryBytes)
  try {
    const ended = await follow(run, await launch(run, group), group)
    const isShort = ended.how === 'exited' && (await group?.wasExceeded())
    return isShort ? { how: 'memory_limit' } : ended
  } finally {
    await Promise.all([group?.remove(), proxy?.close()])
  }
}

async function startProxy(run: BuildRun): Promise<RegistryProxy | undefined> {
  const { network, redactor, workspace, nowMs, onLine } = run
  if (typeof network === 'string') return undefined
  return startRegistryProxy(proxySocket(workspace), network, (line) =>
    onLine({ text: redactor.redact(line), stream: 'stderr', timeMs: nowMs() }),
  )
}

async function follow(run: BuildRun, launched: Launched, group: MemoryGroup | undefined): Promise<Ended> {
  const { child } = launched
  let stopped: Stopped | undefined

  function stop(why: Stopped): void {
    stopped ??= why
    launched.kill()
  }

  const closed = once(child, 'close')
  const output = readOutput(run, launched, () => stop('log_limit'))
  const timer = setTimeout(() => stop('timeout'), run.limits.wallMs)
  const abort = () => stop('aborted')
  run.signal.addEventListener('abort', abort)
  // The signal may have aborted while the sandbox was set up.
  if (run.signal.aborted) abort()
  const { pid } = child
  const endWatch =
    pid === undefined ? () => {} : watchUse({ ...run, pid, group }, (exceeded) => stop(exceeded))
  try {
    const [code, signal]: unknown[] = await closed
    for (const read of await output.ended) if (read.status === 'rejected') throw read.reason
    if (stopped) return { how: stopped }
    if (launched.hasStarted()) return { how: 'exited', ...describeExit(code, signal) }
    // With nothing else left to kill, the kernel kills the sandbox itself.
    if (await group?.wasExceeded()) return { how: 'memory_limit' }
    throw new Error(`The sandbox could not be set up: ${output.lastLine()}`)
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', abort)
    endWatch()
  }
}

type Output = { ended: Promise<PromiseSettledResult<void>[]>; lastLine: () => string }

/** Passes lines on until there are too many; yields after each chunk. */
function readOutput(run: BuildRun, { child }: Launched, onTooMuch: () => void): Output {
  let left = run.limits.logBytes
  let last = ''

  function spend(bytes: number): void {
    if (left >= 0 && left < bytes) onTooMuch()
    left -= bytes
  }

  async function read(stream: 'stdout' | 'stderr'): Promise<void> {
    const reader = createLineReader(run.redactor, (text) => {
      spend(lineBytes)
      if (left < 0) return
      last = text
      run.onLine({ text, stream, timeMs: run.nowMs() })
    })
    await takeChunks(child[stream], (chunk) => {
      if (left < 0) return
      spend(chunk.length)
      if (left >= 0) reader.write(chunk)
    })
    reader.end()
  }

  return { ended: Promise.allSettled([read('stdout'), read('stderr')]), lastLine: () => last }
}
