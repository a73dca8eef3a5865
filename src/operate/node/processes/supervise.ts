/**
 * Keeps processes running: each is started again when it ends, after a pause where that happens repeatedly.
 */
import cluster from 'node:cluster'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type BackOff, createBackOff } from '../../../lib/async/back-off.ts'
import { within } from '../../../lib/async/within.ts'
import type { Logger } from '../../../lib/log/logger.ts'
import { createWholeLines } from '../../../lib/log/whole-lines.ts'
import type { Environment } from '../../../lib/settings/parse.ts'
import { type BeatLimits, usualBeats, watchBeats } from './beats.ts'
import { type Channel, createChannel } from './channel.ts'
import { channelDescriptor, processArgument } from './count.ts'
import type { ToFirst, ToOther } from './messages.ts'
import { carryMessages } from './pipe.ts'

const program = fileURLToPath(new URL('../../../main.js', import.meta.url))

/** How long a process may take for each step of refusing connections. */
const refusingMs = 1_000

/** How much longer than its running requests a process may take to stop. */
const closingMs = 10_000

/** How long to wait before a process that ended is started again. */
const pauses = { firstMs: 125, longestMs: 4_000, healthyMs: 10_000 }

/** The requests that one process may make, and the reaction to its end; `how` is a sentence. */
export type Served = { handlers: ToFirst; ended(how: string): void }

export type Supervised = {
  /** Starts a process, which is kept running from then on. */
  add(): void
  /** The channels to those that run. */
  channels(): Channel<ToOther>[]
  /** The ids of those that run and don't respond in time. */
  late(): number[]
  /** Stops all of them, each within `waitMs` and the time for closing what it has open. */
  stop(waitMs: number): Promise<void>
}

type Options = {
  environment: Environment
  /** Called for each process that is started. */
  serve(channel: () => Channel<ToOther>): Served
  log: Logger
  /** How long a process may be silent, before it is killed and started again. */
  beats?: BeatLimits
}

type Running = {
  channel: Channel<ToOther>
  hasLeft: Promise<unknown>
  hasClosed: Promise<unknown>
  kill(): void
  /** Its id, while it is late. */
  late(): number[]
}

/** Starts no process yet. */
export function superviseProcesses({ environment, serve, log, beats = usualBeats }: Options): Supervised {
  const running = new Set<Running>()
  const timers = new Set<NodeJS.Timeout>()
  let isStopping = false
  // Each accepts connections itself: handing them over would double what a connection costs.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: program,
    args: [processArgument],
    // Beside the cluster's own channel one for messages, which stays when that is closed.
    stdio: ['ignore', 'inherit', 'pipe', 'ipc', 'pipe'],
  })

  /** Resolves to how it ended. Rejects when the system can't start it. */
  async function launch(): Promise<string> {
    const child = cluster.fork(environment).process
    const pipe = child.stdio[channelDescriptor]
    if (!(pipe instanceof Socket)) throw new Error('The process has no channel.')
    const { handlers, ended } = serve(() => channel)
    const send = carryMessages(pipe, (message) => channel.receive(message))
    const channel: Channel<ToOther> = createChannel(handlers, send)
    const lines = createWholeLines(log.passOn)
    child.stderr?.setEncoding('utf8').on('data', lines.write).once('end', lines.end)
    const end = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(notStarted(error)))
      child.once('close', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`))
    })
    const { pid } = child
    const watch = watchBeats(
      {
        ask: () => channel.request('beat', undefined),
        onLate: () => log.warn({ pid }, 'A process of this node does not respond.'),
        onGone: () => {
          log.error({ pid }, 'A process of this node does not respond; it is killed.')
          child.kill('SIGKILL')
        },
      },
      beats,
    )
    const self = {
      channel,
      hasClosed: end,
      kill: () => child.kill('SIGKILL'),
      late: () => (pid !== undefined && watch.isLate() ? [pid] : []),
      hasLeft: new Promise((resolve) => child.once('disconnect', resolve)),
    }
    running.add(self)
    const how = await end
    running.delete(self)
    watch.end()
    channel.close()
    ended(`Process ${child.pid} of this node ${how}.`)
    return how
  }

  async function keep(backOff: BackOff): Promise<void> {
    const startedMs = performance.now()
    const how = await launch().catch(notStarted)
    if (isStopping) return
    const pauseMs = backOff.pauseAfter(performance.now() - startedMs)
    log.error({ pause_ms: pauseMs }, `A process of this node ${how}; it is started again.`)
    const timer = setTimeout(() => {
      timers.delete(timer)
      keep(backOff)
    }, pauseMs)
    timers.add(timer)
  }

  return {
    add: () => void keep(createBackOff(pauses)),
    channels: () => [...running].map(({ channel }) => channel),
    late: () => [...running].flatMap(({ late }) => late()),
    async stop(waitMs) {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      const all = [...running]
      await refuse(all)
      for (const { channel } of all) channel.notify('stop', undefined)
      const closed = Promise.all(all.map(({ hasClosed }) => hasClosed))
      await within(waitMs + closingMs, closed, () => {
        for (const { kill } of running) kill()
      })
      await closed
    },
  }
}

/**
 * Has all of them stop accepting, before any client has a reason to connect again: whatever connects while
 * the last one closes a port is accepted by the system, and then reset. For that this process, too, must not
 * hold the ports.
 */
async function refuse(all: Running[]): Promise<void> {
  for (const { channel } of all) channel.notify('leaveCluster', undefined)
  await within(refusingMs, Promise.all(all.map(({ hasLeft }) => hasLeft)), () => {})
  const refusing = all.map(({ channel }) => channel.request('stopAccepting', undefined))
  await within(refusingMs, Promise.allSettled(refusing), () => {})
}

function notStarted(error: Error): string {
  return `could not be started: ${error.message}`
}
