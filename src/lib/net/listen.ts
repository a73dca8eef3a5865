/** Starts servers listening, and closes them without losing a response. */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasCode } from '../has-code.ts'
import { SettingsError } from '../settings/error.ts'
import type { Settings } from '../settings/variables.ts'
import { stopTimes, trackConnections } from './connections.ts'
import { passOn, type ReadProxyHeader } from './proxy-protocol.ts'
import { canReusePorts } from './reuse-ports.ts'

/** A listening server. */
export type Listening = {
  port: number
  /** Stops listening, waits up to `waitMs` for running requests, then closes the rest. */
  close(waitMs: number): Promise<void>
}

/** A listening server that can stop in two steps. */
export type StopsAccepting = Listening & {
  /** Accepts no more connections, and otherwise goes on; the first step of `close`. */
  stopAccepting(): Promise<void>
}

/** The address to listen on, and its setting. */
export type Place = {
  port: number
  host: string
  setting: keyof Settings
  /** Whether other processes of this node listen on it, too. */
  isShared?: boolean
  /** Reads the headers of proxies, where they send them. */
  readProxyHeader?: ReadProxyHeader | undefined
}

/** Resolves once the HTTP/1.1 `server` listens. @throws SettingsError when the port is in use. */
export async function listen(server: HttpServer, place: Place): Promise<StopsAccepting> {
  const endConnections = trackConnections(server)
  // Node's own would cut connections on which a request is arriving.
  server.closeIdleConnections = () => {}
  const { readProxyHeader } = place
  const front = readProxyHeader
    ? createServer({ noDelay: true, allowHalfOpen: true }, passOn(server, readProxyHeader))
    : server
  const port = await bind(front, place)
  const { stopAccepting, close } = stopsOf(front)
  return { port, stopAccepting, close: (waitMs) => close(() => endConnections(stopTimes(waitMs))) }
}

/** Resolves to the port once `server` listens. @throws SettingsError when the port is in use. */
export async function bind(server: Server, { port, host, setting, isShared }: Place): Promise<number> {
  try {
    server.listen({ port, host, ...(isShared && canReusePorts() && { reusePort: true }) })
    await once(server, 'listening')
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new SettingsError(`Port ${port} of ${host} is in use. Set ${setting} to a free one.`)
    }
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** How long a turn of the event loop may take in which hardly a connection can have come unseen. */
const shortMs = 0.2

/** How long a busy server looks for such a turn, in which it does nothing else. */
const lookingMs = 20

/** The most turns: more than the connections that the system keeps. */
const maxTurns = 1_000

/**
 * Resolves when hardly a connection can wait to be accepted, which the system would reset when `server`
 * closes: Node accepts one in each turn of the event loop, and others come while a turn lasts.
 */
async function acceptPending(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  // The rest of this turn.
  await nextTurn()
  let quietMs = performance.now()
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const [before, startMs] = [accepted, performance.now()]
    await nextTurn()
    const nowMs = performance.now()
    if (accepted > before) quietMs = nowMs
    else if (nowMs - startMs < shortMs || nowMs - quietMs > lookingMs) break
  }
  server.off('connection', count)
}

/** The two steps of stopping `server`; `close` does both, and closes its connections by `endConnections`. */
export function stopsOf(server: Server) {
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
  let refusing: Promise<void> | undefined

  async function refuse(): Promise<void> {
    await acceptPending(server)
    server.close()
  }

  function stopAccepting(): Promise<void> {
    refusing ??= refuse()
    return refusing
  }

  return {
    stopAccepting,
    async close(endConnections: () => Promise<void>): Promise<void> {
      await stopAccepting()
      await endConnections()
      await closed
    },
  }
}
