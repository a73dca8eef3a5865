/** Starts the processes that serve the API and the edge of a node, which together look like one. */
import { randomBytes } from 'node:crypto'
import type { Place } from '../../../lib/net/listen.ts'
import { canReusePorts } from '../../../lib/net/reuse-ports.ts'
import { SettingsError } from '../../../lib/settings/error.ts'
import type { Settings } from '../../../lib/settings/variables.ts'
import type { RecalledLoan } from '../../../platform/limits/lend-tokens.ts'
import { serveLeases } from '../../../platform/limits/serve-leases.ts'
import { serveLimits } from '../../../platform/limits/serve-limits.ts'
import type { LookAtReadiness } from '../../../platform/observability/readiness.ts'
import { serveUids } from '../../../platform/sandbox/uids.ts'
import { serveServers } from '../../../platform/servers/serve-servers.ts'
import type { Servers } from '../../../platform/servers/servers.ts'
import type { Readings } from '../../../roles/internal/metrics/readings.ts'
import type { NodeContext } from '../context.ts'
import type { Channel } from './channel.ts'
import { checkPort } from './check-ports.ts'
import { createCollection } from './collect.ts'
import type { Places, Ports, ToOther } from './messages.ts'
import { type Served, superviseProcesses } from './supervise.ts'

/** 16 bytes each for a name, for HMAC and for AES (`ticketKeys` of Node's TLS). */
const ticketKeyBytes = 48

type Deps = Pick<
  NodeContext,
  | 'settings'
  | 'environment'
  | 'installation'
  | 'ownLimits'
  | 'gitKeepers'
  | 'sandboxUids'
  | 'stopping'
  | 'log'
>

type Options = {
  /** How many. */
  processes: number
  /** Those of this process, for all others. */
  servers: Servers
  readiness: LookAtReadiness
  buildProblem: () => Promise<string | undefined>
}

export type Processes = Pick<Places, 'apiUrl' | 'sitesUrl' | 'certifiedUrl'> & {
  /** Whether all of them listen. */
  areListening(): boolean
  /** The ids of those that don't respond. */
  late(): number[]
  /** Whether Redis is away for one of them, so that rate limits are this node's own. */
  areLimitsDegraded(): boolean
  /** The counters of each process. */
  readings(): Promise<Readings[]>
  close(waitMs: number): Promise<void>
}

type State = { isListening: boolean; isDegraded: boolean }

/** The wait for so many that listen. */
type Wait = { count: number; resolve(places: Places): void; reject(error: Error): void }

/**
 * Resolves once all of them listen.
 * @throws SettingsError when one can't start because of a setting, or a port is in use; Error when one ends
 * instead.
 */
export async function startProcesses(
  {
    settings,
    environment,
    installation: { cacheIndex },
    ownLimits,
    gitKeepers,
    sandboxUids,
    stopping,
    log,
  }: Deps,
  { processes, servers, readiness, buildProblem }: Options,
): Promise<Processes> {
  const ticketKeys = randomBytes(ticketKeyBytes).toString('base64')
  const collection = createCollection()
  const states = new Set<State>()
  let ports: Ports = {}
  let wait: Wait | undefined

  const listening = () => [...states].filter(({ isListening }) => isListening).length

  /** Resolves to where the last of them listens. */
  function untilListening(count: number): Promise<Places> {
    return new Promise((resolve, reject) => {
      wait = { count, resolve, reject }
    })
  }

  function serve(channel: () => Channel<ToOther>): Served {
    const recall = (loan: RecalledLoan) => channel().request('recallLoan', loan)
    const { release, ...limits } = serveLimits(ownLimits, { recall })
    const { release: takeBack, ...leases } = serveLeases(gitKeepers)
    const { release: takeUidsBack, ...uids } = serveUids(sandboxUids)
    const { release: takeServersBack, ...leased } = serveServers(servers)
    const keepCounts = collection.add(() => channel().request('readings', undefined))
    const state: State = { isListening: false, isDegraded: false }
    states.add(state)
    return {
      handlers: {
        ...limits,
        ...leases,
        ...uids,
        ...leased,
        hasCached: (object) => cacheIndex?.has(object) ?? false,
        putCached: ({ object, size }) => cacheIndex?.put(object, size),
        dropCached: (object) => cacheIndex?.drop(object),
        beat() {},
        begin() {
          if (stopping.aborted) throw new Error('The node is stopping.')
          return { processes, ports, ticketKeys }
        },
        listening(places) {
          state.isListening = true
          // A cluster by itself has the same port for all who listen on 0.
          if (canReusePorts()) ports = places.ports
          if (wait && listening() >= wait.count) wait.resolve(places)
        },
        failed({ message, isSetting }) {
          if (wait) wait.reject(isSetting ? new SettingsError(message) : new Error(message))
          else log.error(`A process of this node can't start: ${message}`)
        },
        limitsDegraded(isDegraded) {
          state.isDegraded = isDegraded
        },
        readiness,
        buildProblem: async () => ({ problem: await buildProblem() }),
      },
      ended(how) {
        release()
        takeBack()
        takeUidsBack()
        takeServersBack()
        keepCounts()
        states.delete(state)
        wait?.reject(new Error(how))
      },
    }
  }

  for (const place of placesOf(settings)) await checkPort(place)
  const supervised = superviseProcesses({ environment, serve, log })

  /** The first one alone: what it refuses, and the ports that it chooses, hold for the others. */
  async function startAll(): Promise<Places> {
    try {
      supervised.add()
      await untilListening(1)
      for (let each = 1; each < processes; each += 1) supervised.add()
      return await untilListening(processes)
    } catch (error) {
      await supervised.stop(0)
      throw error
    } finally {
      wait = undefined
    }
  }

  const { apiUrl, sitesUrl, certifiedUrl } = await startAll()
  return {
    apiUrl,
    sitesUrl,
    certifiedUrl,
    areListening: () => listening() === processes,
    late: supervised.late,
    areLimitsDegraded: () => [...states].some(({ isDegraded }) => isDegraded),
    readings: collection.readAll,
    close: supervised.stop,
  }
}

/** Where they are going to listen, if that is decided. */
function placesOf({ SVC_ROLES: roles, SVC_HOST: host, ...settings }: Settings): Place[] {
  const names = [
    ...(roles.includes('edge') ? (['SVC_EDGE_PORT', 'SVC_EDGE_TLS_PORT'] as const) : []),
    ...(roles.includes('api') ? (['SVC_PORT', 'SVC_TLS_PORT'] as const) : []),
  ]
  return names.flatMap((setting) => {
    const port = settings[setting]
    return port === undefined || port === 0 ? [] : [{ port, host, setting }]
  })
}
