/** Runs the servers of a node: each starts with the first request, and stops when none comes any more. */
import { setMaxListeners } from 'node:events'
import type { Logger } from '../../lib/log/logger.ts'
import type { Changes } from '../../stores/db/changes.ts'
import type { Database } from '../../stores/db/database.ts'
import { createLeaseKeeper, leasesOf } from '../limits/leases.ts'
import type { Room } from '../projects/room-to-keep.ts'
import { createProblemLines } from './answer-problems.ts'
import { createHolds, type HoldBounds } from './holds.ts'
import { keepRunning } from './keep-running.ts'
import type { ServerLog, ServerLogs } from './lines.ts'
import { createOccupancy } from './occupancy.ts'
import { type DeployedServer, readServer } from './read-server.ts'
import { createRunningServer, type Graces, type RunningServer } from './running-server.ts'
import type { ServerProcess } from './server-process.ts'
import { createServerSlot, type ServerSlot } from './server-slot.ts'
import type { ServerKey } from './server-status.ts'
import { type ServerPool, ServerRefused, type ServerWanted } from './servers.ts'
import { createStartRates } from './start-rates.ts'
import { createRefusalLines, toRefusal } from './start-refusals.ts'
import { type TakeOverTimes, takeOver, takeOverTimes } from './take-over.ts'
import { watchDeployments } from './watch-deployments.ts'

/** Gets to know of each start, each end by itself, and each end to make room for others. */
export type ServerObserver = (event: 'started' | 'crashed' | 'evicted') => void

export type PoolDeps = {
  db: Database
  changes: Changes
  logs: ServerLogs
  log: Logger
  nowMs: () => number
  /** Why this node runs no servers; undefined if it does. */
  problem: () => Promise<string | undefined>
  /** Starts a process, whose lines go to the log. The signal aborts when the node stops. */
  start: (
    server: { row: DeployedServer; target: ServerWanted['target'] },
    log: ServerLog,
    signal: AbortSignal,
  ) => Promise<ServerProcess>
  room: Room
  observe: ServerObserver
  bounds?: HoldBounds
  times?: TakeOverTimes
}

/** A node answers others meanwhile, and has the sockets for it. */
const usualBounds: HoldBounds = {
  ofAddress: 32,
  ofServer: 100,
  ofTeam: 500,
  ofNode: 1_000,
  holdMs: 30_000,
  longMs: 60_000,
}

/** How many start at a time, unless one takes longer than `turnMs`; and how many of a team wait for that. */
const startsAtOnce = 2
const startsWaiting = 100
const turnMs = 10_000

/** The most servers that the node remembers, most of which have crashed. */
const maxSlots = 1_000

const graces: Graces = { requestsMs: 30_000, stopMs: 30_000 }
/** WebSockets have a moment to end in order. */
const evicted: Graces = { requestsMs: 2_000, stopMs: 5_000 }

const sweepMs = 1_000
const measureMs = 10_000

export function createServerPool(deps: PoolDeps): ServerPool {
  const { db, changes, logs, log, nowMs, room, observe, bounds = usualBounds, times = takeOverTimes } = deps
  const slots = new Map<string, ServerSlot>()
  const listeners = new Set<() => void>()
  const starts = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  // One for each start that waits.
  setMaxListeners(0, stopping.signal)
  const holds = createHolds(bounds)
  const sayRefused = createRefusalLines(nowMs)
  const rates = createStartRates(() => performance.now())
  const bounded = { most: startsAtOnce, ofTeam: startsAtOnce, waiting: startsWaiting }
  const turns = leasesOf(createLeaseKeeper(bounded), 'Too many servers of the team wait for their start.')
  const keeper = keepRunning({ db, changes, log, room, slotFor })
  const occupancy = createOccupancy(room, { isKept: keeper.isKept, evict: (running) => evict(running) })

  const onChange = () => {
    for (const listener of listeners) listener()
  }

  function slotFor(wanted: ServerWanted): ServerSlot {
    const name = nameOf(wanted)
    const known = slots.get(name)
    if (known) return known
    if (slots.size >= maxSlots) forget({ evenRecent: true })
    const { teamId, projectId, deploymentId, target } = wanted
    const server = { teamId, projectId, deploymentId, target }
    const serverLog = logs.of(server)
    const slot = createServerSlot({
      server,
      start: () =>
        whileStarting(
          start(server, serverLog)
            .catch(toRefusal)
            .catch((error: unknown) => {
              if (error instanceof ServerRefused && !stopping.signal.aborted)
                sayRefused(name, serverLog, error)
              throw error
            }),
        ),
      holds,
      rates,
      log: serverLog,
      nowMs,
      onChange,
      onError: (err) => log.error({ err, deployment: deploymentId }, 'A server could not be started.'),
      observe,
    })
    slots.set(name, slot)
    return slot
  }

  function whileStarting<T>(start: Promise<T>): Promise<T> {
    starts.add(start)
    start.finally(() => starts.delete(start)).catch(() => {})
    return start
  }

  async function start(server: ServerWanted, serverLog: ServerLog): Promise<RunningServer> {
    const problem = await deps.problem()
    if (problem !== undefined) throw new ServerRefused('unavailable', problem)
    const turn = await turns.take(server.teamId, stopping.signal)
    const late = setTimeout(turn.end, turnMs)
    try {
      const row = await readServer(db, server.deploymentId)
      if (!row) throw new ServerRefused('gone', 'There is no such server any more.')
      return await startProcess(row, server, serverLog)
    } finally {
      clearTimeout(late)
      turn.end()
      // It may have been deleted or restarted meanwhile.
      watch.lookSoon()
    }
  }

  async function startProcess(
    row: DeployedServer,
    { deploymentId, target }: ServerWanted,
    serverLog: ServerLog,
  ): Promise<RunningServer> {
    const place = await occupancy.take(row, target)
    let running: RunningServer
    let process: ServerProcess
    try {
      process = await deps.start({ row, target }, serverLog, stopping.signal)
      running = createRunningServer({
        key: { deploymentId, target },
        row,
        process,
        nowMs,
        onHung: () => serverLog.say('error', hung(row)),
        noteProblems: createProblemLines(serverLog, nowMs),
      })
      occupancy.add(running)
    } finally {
      place.giveBack()
    }
    try {
      stopping.signal.throwIfAborted()
      await process.listening
      running.listens()
      return running
    } catch (error) {
      running.kill()
      await running.ended
      stopping.signal.throwIfAborted()
      throw error
    }
  }

  async function evict(running: RunningServer): Promise<void> {
    if (running.isEnding()) return running.leave(evicted)
    observe('evicted')
    const slot = slots.get(nameOf(running.key))
    const gone = slot?.current() === running ? slot.retire(evicted) : running.leave(evicted)
    running.closeSockets()
    await gone
  }

  /** Several hosts, and several processes, may want the same. */
  const takeOvers = new Map<string, Promise<void>>()

  function takeOverOnce(old: ServerKey, next: ServerWanted): Promise<void> {
    const name = `${nameOf(old)} ${nameOf(next)}`
    const known = takeOvers.get(name)
    if (known) return known
    const started = takeOver(
      {
        current: () => slots.get(nameOf(old))?.current(),
        retire: async (ends) => slots.get(nameOf(old))?.retire(ends),
      },
      {
        lease: (signal) => slotFor(next).lease(next, signal),
        read: () => readServer(db, next.deploymentId),
        needsPlaceOf: occupancy.needsPlaceOf,
        holdLonger: () => slotFor(next).holdLonger(),
      },
      { graces, times },
      stopping.signal,
    ).finally(() => takeOvers.delete(name))
    takeOvers.set(name, started)
    return started
  }

  function forget({ evenRecent }: { evenRecent: boolean }): void {
    for (const [name, slot] of slots) {
      const isOld = slot.isForgotten()
      if (!isOld && !(evenRecent && slot.status()?.state === 'crashed')) continue
      slots.delete(name)
      slot.log.end()
      if (!isOld) return
    }
  }

  const watch = watchDeployments({ db, changes, log, graces, slots: () => [...slots.values()] })

  function sweep(): void {
    for (const slot of slots.values()) {
      const running = slot.current()
      if (!running || running.requests() > 0 || keeper.isKept(slot.server)) continue
      if (nowMs() - running.lastUsedMs() < running.row.runtime.idle_s * 1_000) continue
      void slot.retire(graces)
    }
    forget({ evenRecent: false })
    watch.retry()
  }

  async function measure(): Promise<void> {
    await occupancy.measure()
    onChange()
  }

  const sweeping = setInterval(sweep, sweepMs).unref()
  const measuring = setInterval(() => void measure(), measureMs).unref()

  return {
    async lease(wanted, signal) {
      if (stopping.signal.aborted) throw new ServerRefused('unavailable', 'The node stops.')
      return slotFor(wanted).lease(wanted, signal)
    },
    isRunning: async (key) => slots.get(nameOf(key))?.current() !== undefined,
    takeOver: takeOverOnce,
    list: () => [...slots.values()].map((slot) => slot.status()).filter((status) => status !== undefined),
    waiting: holds.count,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close(graceMs) {
      stopping.abort(new ServerRefused('unavailable', 'The node stops.'))
      watch.stop()
      keeper.stop()
      clearInterval(sweeping)
      clearInterval(measuring)
      for (const slot of slots.values()) slot.remove({ requestsMs: 0, stopMs: graceMs })
      await occupancy.endAll(graceMs)
      await Promise.allSettled(starts)
      for (const slot of slots.values()) slot.log.end()
    },
  }
}

const nameOf = ({ deploymentId, target }: Pick<ServerWanted, 'deploymentId' | 'target'>) =>
  `${deploymentId} ${target}`

const hung = ({ runtime: { health_path } }: DeployedServer) =>
  `The server answers no requests, nor ${health_path ?? '/'} within 10 s: it is killed.`
