/** The way out of servers: whatever they connect to goes through the guard of the node. */
import { createServer, type Server, Socket } from 'node:net'
import { canonicalAddress } from '../../../lib/names/canonical-address.ts'
import type { Rate } from '../../limits/rate.ts'
import { tokenBuckets } from '../../limits/token-bucket.ts'
import type { Listeners } from '../../sandbox/listeners/open-listeners.ts'
import type { Guard, Team } from './guard.ts'
import type { LookUp } from './look-up.ts'
import { serveNames } from './name-server.ts'
import { openConnection } from './open-connection.ts'
import { type NetworkPlan, planNetwork, type Reach, reachedPorts } from './plan.ts'
import { createProxy } from './proxy.ts'
import { createRefusalLines, type Destination, Refusal } from './refusal.ts'
import { relay } from './relay.ts'
import type { Share } from './shares.ts'
import { createSyntheticNames, isSynthetic, type SyntheticNames } from './synthetic-names.ts'

/** A server with a way out; `say` adds a line to its log. */
type Leaving = { team: Team; reach: Reach; say: (text: string) => void }

export type WayOut = {
  /** Whether connections arrive from all clients, and not from those that use proxies alone. */
  isRouted: boolean
  plan(reach: Reach): NetworkPlan
  /** Connects what arrives at the listeners of a server; returns the function that ends all of it. */
  serve(listeners: Listeners, leaving: Leaving): () => void
}

type Deps = {
  isRouted: boolean
  guard: Guard
  lookUp: LookUp
  shares: { of(teamId: string): Share }
  /** A monotonic clock in milliseconds. */
  now: () => number
}

/** The questions of one server for names. */
const questionRate: Rate = { perSecond: 100, burst: 500 }

/** The ways out of the servers of a node. */
export function createWayOut({ isRouted, guard, lookUp, shares, now }: Deps): WayOut {
  const buckets = tokenBuckets(questionRate)

  function serve({ tcp, udp }: Listeners, { team, reach, say }: Leaving): () => void {
    const names = createSyntheticNames()
    const share = shares.of(team.id)
    const ended = new AbortController()
    const lines = createRefusalLines(say, now)
    const ports = reachedPorts(reach)
    const bucket = buckets.full(now())

    async function open(destination: Destination): Promise<Socket> {
      try {
        if (!ports.includes(destination.port)) throw new Refusal(destination, 'port')
        return await openConnection({ guard, share }, destination, team, ended.signal)
      } catch (error) {
        if (error instanceof Refusal && !ended.signal.aborted) lines(error)
        throw error
      }
    }

    async function accept(inner: Socket): Promise<void> {
      inner.on('error', () => {})
      try {
        const outer = await open(destinationOf(inner, names))
        if (inner.destroyed) outer.destroy()
        else relay(inner, outer, share.spend)
      } catch (error) {
        if (error instanceof Refusal && error.reason === 'unknown') lines(error)
        inner.resetAndDestroy()
      }
    }

    const proxy = createProxy({
      open,
      spend: share.spend,
      relay(inner, outer) {
        if (inner instanceof Socket) relay(inner, outer, share.spend)
        else outer.destroy()
      },
    })
    const servers = tcp.map(({ server: handle }) => {
      const server: Server = isRouted
        ? createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, accept)
        : proxy
      server.listen(handle)
      return server
    })
    for (const { socket } of udp) {
      const isOpened = (name: string) => ports.some((port) => guard.isOpened({ name, port }, team))
      const { addressOf } = names
      serveNames(socket, { ...lookUp, isOpened, addressOf }, () => buckets.draw(bucket, 1, now()))
    }
    return () => {
      ended.abort()
      share.leave()
      for (const server of servers) server.close()
      for (const { socket } of udp) socket.close()
    }
  }

  return { isRouted, plan: (reach) => planNetwork(reach, isRouted), serve }
}

/** The place that a connection is meant for. @throws Refusal where it is none. */
function destinationOf({ localAddress = '', localPort = 0 }: Socket, names: SyntheticNames): Destination {
  const address = canonicalAddress(localAddress)
  const name = names.nameAt(address)
  if (name !== undefined) return { name, port: localPort }
  if (isSynthetic(address)) throw new Refusal({ name: address, port: localPort }, 'unknown')
  return { name: address, port: localPort }
}
