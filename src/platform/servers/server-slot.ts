/** The place of one server on a node: it starts there, runs, crashes, and starts again. */
import { createBackOff } from '../../lib/async/back-off.ts'
import { describeEnd } from './failed-start.ts'
import type { Holds } from './holds.ts'
import type { ServerLog } from './lines.ts'
import type { Graces, RunningServer } from './running-server.ts'
import { StartFailed } from './server-process.ts'
import type { ServerStatus } from './server-status.ts'
import { type ServerLease, ServerRefused, type ServerWanted } from './servers.ts'
import type { StartRates } from './start-rates.ts'

/** The pauses before a server that ended by itself may start again. */
const pauses = { firstMs: 1_000, longestMs: 60_000, healthyMs: 60_000 }

/** How long a crash is remembered after its pause, if nobody wants the server. */
const rememberedMs = 15 * 60_000

/** `message` is a sentence for the project's members. */
type Crash = { sinceMs: number; untilMs: number; message: string }

type Starting = { sinceMs: number; running: Promise<RunningServer> }

export type ServerSlot = {
  server: ServerWanted
  log: ServerLog
  /** As `Servers` does. */
  lease(wanted: ServerWanted, signal: AbortSignal): Promise<ServerLease>
  /** Has it start without a request, unless it runs, starts, or has to wait after a crash. */
  wake(): void
  /** Undefined while it is stopped. */
  status(): ServerStatus | undefined
  current(): RunningServer | undefined
  /** The process gets no more requests, and ends; the next request starts another one. */
  retire(graces: Graces): Promise<void>
  /** Ends what was started before then; where requests are under way, another one starts at once. */
  restartedAt(timeMs: number, graces: Graces): void
  /** It stops, and its crash is forgotten. */
  remove(graces: Graces): void
  /** Requests wait for the next start for as long as they may, since another server has to end before. */
  holdLonger(): void
  /** Whether there is nothing to know of it: it is stopped, or has crashed long ago. */
  isForgotten(): boolean
}

type Deps = {
  server: ServerWanted
  /** Resolves once a new process listens. @throws StartFailed; ServerRefused; any other error of the node. */
  start: () => Promise<RunningServer>
  holds: Holds
  rates: StartRates
  log: ServerLog
  nowMs: () => number
  onChange: () => void
  /** Gets an error that is none of the server's. */
  onError: (error: unknown) => void
  observe: (event: 'started' | 'crashed') => void
}

export function createServerSlot(deps: Deps): ServerSlot {
  const { server, holds, rates, log, nowMs, onChange } = deps
  const name = `${server.deploymentId} ${server.target}`
  let backOff = createBackOff(pauses)
  let current: RunningServer | undefined
  let starting: Starting | undefined
  let crash: Crash | undefined
  let restarts = 0
  let isLong = false

  function crashed(livedMs: number, message: string): ServerRefused {
    const sinceMs = nowMs()
    const pauseMs = backOff.pauseAfter(livedMs)
    crash = { sinceMs, untilMs: sinceMs + pauseMs, message }
    restarts += 1
    log.say('error', message)
    deps.observe('crashed')
    return refusalOf(crash)
  }

  function refusalOf({ message, untilMs }: Crash): ServerRefused {
    return new ServerRefused('crashed', message, Math.max(0, untilMs - nowMs()))
  }

  function refusalFor(error: unknown): unknown {
    if (error instanceof ServerRefused) return error
    if (error instanceof StartFailed) return crashed(0, error.message)
    deps.onError(error)
    return crashed(
      0,
      'The node could not start the server; its operator finds out why in the log of the node.',
    )
  }

  function start(): Starting {
    const running = deps.start().then(
      (started) => {
        starting = undefined
        crash = undefined
        isLong = false
        current = started
        void follow(started)
        deps.observe('started')
        onChange()
        return started
      },
      (error: unknown) => {
        starting = undefined
        const refusal = refusalFor(error)
        onChange()
        throw refusal
      },
    )
    // It may fail with nobody waiting any more.
    running.catch(() => {})
    starting = { sinceMs: nowMs(), running }
    onChange()
    return starting
  }

  async function follow(running: RunningServer): Promise<void> {
    const ending = await running.ended
    if (current !== running) return
    current = undefined
    crashed(
      nowMs() - running.startedMs,
      describeEnd(ending, running.row.runtime.memory_bytes, 'while it was running'),
    )
    onChange()
  }

  async function retire(graces: Graces): Promise<void> {
    const running = current
    current = undefined
    onChange()
    await running?.leave(graces)
  }

  function startFor(wanted: ServerWanted): Starting {
    if (crash && nowMs() < crash.untilMs) throw refusalOf(crash)
    rates.draw(wanted)
    return start()
  }

  return {
    server,
    log,
    async lease(wanted, signal) {
      signal.throwIfAborted()
      if (current) return current.lease()
      const { running } = starting ?? startFor(wanted)
      const held = { server: name, teamId: server.teamId, address: wanted.address, isLong }
      return (await holds.wait(held, running, signal)).lease()
    },
    wake() {
      const isPausing = crash !== undefined && nowMs() < crash.untilMs
      if (!current && !starting && !isPausing) start()
    },
    status() {
      const { deploymentId, target, teamId, projectId } = server
      const of = { deploymentId, target, teamId, projectId, restarts }
      if (current)
        return { ...of, state: 'running', sinceMs: current.startedMs, memoryBytes: current.measured() }
      const state = starting ? 'starting' : 'crashed'
      const since = starting ?? crash
      return since && { ...of, state, sinceMs: since.sinceMs, memoryBytes: null }
    },
    current: () => current,
    retire,
    restartedAt(timeMs, graces) {
      if (crash && crash.sinceMs < timeMs) {
        crash = undefined
        backOff = createBackOff(pauses)
        onChange()
      }
      if (!current || current.row.restartedMs >= timeMs) return
      const isUsed = current.requests() > 0
      void retire(graces)
      if (isUsed) start()
    },
    remove(graces) {
      crash = undefined
      void retire(graces)
    },
    holdLonger() {
      isLong = true
    },
    isForgotten() {
      if (current || starting) return false
      return crash === undefined || nowMs() >= crash.untilMs + rememberedMs
    },
  }
}
