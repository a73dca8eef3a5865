/**
 * The only way out of a sandbox whose network is `registries`: a forward proxy on a Unix socket (RFC 9110,
 * section 9.3.6).
 */
import { chmod, open as openFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'
import { type HostPort, parseHostPort } from '../../../lib/names/host-port.ts'
import { isPublicAddress } from '../../../lib/net/public-address.ts'
import type { Resolve } from '../../../lib/net/resolve.ts'
import { BlockedAddressError, createVettedLookup } from '../../../lib/net/vetted-lookup.ts'
import { refused, unreachable } from './reports.ts'

/** The hosts that builds may reach. Private addresses only with `allowPrivate`. */
export type Registries = { hosts: HostPort[]; resolve: Resolve; allowPrivate: boolean }

export type RegistryProxy = {
  /** Ends all connections. */
  close(): Promise<void>
}

/** npm opens 15 at a time. */
const maxConnections = 64

const connectMs = 10_000
const idleMs = 60_000

/** A build could try very many hosts. */
const maxReported = 20

/**
 * Listens at `path`, for any user who can reach it. Tunnels `CONNECT` to the registries' names and ports;
 * calls `report` with a line for the build's log, once for each line, about other hosts and failures.
 */
export async function startRegistryProxy(
  path: string,
  registries: Registries,
  report: (line: string) => void,
): Promise<RegistryProxy> {
  const open = new Set<Duplex>()
  const reported = new Set<string>()
  const isAllowed = (address: string) => registries.allowPrivate || isPublicAddress(address)
  const lookup = createVettedLookup(registries.resolve, isAllowed)

  function refuse(socket: Duplex, status: string, message: string): void {
    if (!reported.has(message) && reported.size < maxReported) {
      reported.add(message)
      report(message)
    }
    end(socket, status, message)
  }

  function onConnect({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): void {
    keep(open, socket)
    const host = parseAuthority(url)
    if (!host) {
      end(socket, '400 Bad Request', 'CONNECT takes host:port.')
      return
    }
    if (registries.hosts.some(({ name, port }) => name === host.name && port === host.port)) {
      socket.unshift(head)
      const onFailure = (error: Error) => refuse(socket, statusOf(error), unreachable(host, error))
      keep(open, connectWith(socket, host, lookup, onFailure))
    } else refuse(socket, '403 Forbidden', refused(host))
  }

  const server = createServer((_request, response) => {
    response.writeHead(405, { 'content-type': 'text/plain', allow: 'CONNECT', connection: 'close' })
    response.end('Builds reach package registries by HTTPS only.\n')
  })
  server.maxConnections = maxConnections
  server.on('connect', onConnect)
  await listenAt(server, path)
  return {
    async close() {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      // Node removes it by the name with the descriptor, which is closed.
      await rm(path, { force: true })
    },
  }
}

/** Package managers try again, for a minute, where a gateway failed. */
function statusOf(error: Error): string {
  return error instanceof BlockedAddressError ? '403 Forbidden' : '502 Bad Gateway'
}

/** Connects `socket` with the host, and returns the connection to it. */
function connectWith(
  socket: Duplex,
  { name, port }: HostPort,
  lookup: LookupFunction,
  onFailure: (error: Error) => void,
): Socket {
  const registry = connect({ host: name, port, lookup, autoSelectFamily: true, allowHalfOpen: true })
  registry.once('error', onFailure)
  registry.setTimeout(connectMs, () => registry.destroy(new Error('The registry took too long.')))
  socket.once('close', () => registry.destroy())
  registry.once('connect', () => {
    registry.off('error', onFailure)
    registry.setTimeout(idleMs)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    pipeline(socket, registry, socket, () => {})
  })
  return registry
}

/**
 * `host:port` of a `CONNECT`, which always has a port (RFC 9110, section 7.1); a host in brackets is an
 * address.
 */
function parseAuthority(authority: string): HostPort | undefined {
  return /^[\w.-]{1,253}:\d{1,5}$/.test(authority) ? parseHostPort(authority) : undefined
}

function end(socket: Duplex, status: string, message: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n` +
      `Content-Length: ${message.length}\r\n\r\n${message}`,
  )
}

function keep(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('close', () => sockets.delete(socket))
}

/** By a descriptor of its directory: the path of a socket has room for some hundred bytes only. */
async function listenAt(server: Server, path: string): Promise<void> {
  const directory = await openFile(dirname(path))
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(`/proc/self/fd/${directory.fd}/${basename(path)}`, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } finally {
    await directory.close()
  }
  await chmod(path, 0o666)
}
