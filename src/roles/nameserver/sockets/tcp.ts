/** DNS over TCP, with limits per client. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { addressBucket } from '../../../platform/limits/address-bucket.ts'
import type { DnsObserver } from '../../../platform/observability/observers.ts'
import type { Responder } from '../respond.ts'
import { type Connection, serveConnection } from './connection.ts'
import type { Verdict } from './response-rate.ts'

export type TcpServer = {
  port: number
  /** Takes no more questions, sends pending responses for up to `waitMs`, closes. */
  close(waitMs: number): Promise<void>
}

/** Maximum connections, and the idle timeout in milliseconds. */
export type TcpLimits = { connections: number; perAddress: number; idleMs: number; crowdedIdleMs: number }

const defaultLimits: TcpLimits = { connections: 1_000, perAddress: 100, idleMs: 10_000, crowdedIdleMs: 2_000 }

const sweepMs = 500

type Options = {
  respond: Responder['respond']
  host: string
  port: number
  /** Separate from that of UDP, where source addresses can be spoofed. */
  verdict: (address: string) => Verdict
  limits?: TcpLimits
  observe?: DnsObserver | undefined
}

type Open = { connection: Connection; address: string; aliveMs: number }

/** Listens. Rejects as the server does when it can't. */
export async function listenTcp({
  respond,
  host,
  port,
  verdict,
  limits = defaultLimits,
  observe,
}: Options): Promise<TcpServer> {
  // The longest idle come first.
  const all = new Set<Open>()
  const byAddress = new Map<string, Set<Open>>()

  function serve(socket: Socket): void {
    const { remoteAddress = '' } = socket
    const address = addressBucket(remoteAddress)
    const own = byAddress.get(address) ?? new Set()
    makeRoom(own)
    const onLife = () => {
      open.aliveMs = performance.now()
      for (const each of [all, own]) {
        each.delete(open)
        each.add(open)
      }
    }
    const mayAsk = () => {
      const mayBeAnswered = verdict(remoteAddress) === 'send'
      if (!mayBeAnswered) observe?.limited('drop')
      return mayBeAnswered
    }
    const connection = serveConnection({ socket, respond, onLife, mayAsk, observe })
    const open: Open = { connection, address, aliveMs: performance.now() }
    all.add(open)
    byAddress.set(address, own.add(open))
    socket.once('close', () => {
      all.delete(open)
      own.delete(open)
      if (own.size === 0 && byAddress.get(address) === own) byAddress.delete(address)
    })
  }

  /** A new connection replaces the longest idle one: the client's own, if it has too many. */
  function makeRoom(own: Set<Open>): void {
    const crowded = own.size >= limits.perAddress ? own : all.size >= limits.connections ? all : undefined
    const [oldest] = crowded ?? []
    if (!oldest) return
    oldest.connection.destroy()
    all.delete(oldest)
    byAddress.get(oldest.address)?.delete(oldest)
  }

  function sweep(): void {
    const limitMs = all.size > limits.connections / 2 ? limits.crowdedIdleMs : limits.idleMs
    for (const { connection, aliveMs } of all) {
      if (performance.now() - aliveMs < limitMs) return
      connection.destroy()
    }
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, serve)
  server.listen({ port, host, backlog: 1_024 })
  await once(server, 'listening')
  // For example when no file descriptor is left: open connections continue.
  server.on('error', () => {})
  const sweeps = setInterval(sweep, sweepMs)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')

  return {
    port: address.port,
    async close(waitMs) {
      clearInterval(sweeps)
      const closed = once(server, 'close')
      server.close()
      for (const { connection } of all) connection.end()
      const cut = setTimeout(() => {
        for (const { connection } of all) connection.destroy()
      }, waitMs)
      await closed
      clearTimeout(cut)
    },
  }
}
