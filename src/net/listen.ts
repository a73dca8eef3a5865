/** Starts servers listening, and closes them without losing a response. */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { SettingsError } from '../settings/error.ts'
import type { Settings } from '../settings/variables.ts'
import { stopTimes, trackConnections } from './connections.ts'

/** A listening server. */
export type Listening = {
  port: number
  /** Stops listening, waits up to `waitMs` for running requests, then closes the rest. */
  close(waitMs: number): Promise<void>
}

/** The address to listen on, and its setting. */
export type Place = { port: number; host: string; setting: keyof Settings }

/** Resolves once the HTTP/1.1 `server` listens. @throws SettingsError when the port is in use. */
export async function listen(server: HttpServer, place: Place): Promise<Listening> {
  const endConnections = trackConnections(server)
  // Node's own would cut connections on which a request is arriving.
  server.closeIdleConnections = () => {}
  return {
    port: await bind(server, place),
    close: (waitMs) => stop(server, () => endConnections(stopTimes(waitMs))),
  }
}

/** Resolves to the port once `server` listens. @throws SettingsError when the port is in use. */
export async function bind(server: Server, { port, host, setting }: Place): Promise<number> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new SettingsError(`Port ${port} of ${host} is in use. Set ${setting} to a free one.`)
    }
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** Makes `server` accept no more connections, then closes those that it has. */
export async function stop(server: Server, endConnections: () => Promise<void>): Promise<void> {
  const closed = once(server, 'close')
  // By then the event loop has accepted pending connections, which the system would reset.
  await new Promise((resolve) => setImmediate(resolve))
  server.close()
  await endConnections()
  await closed
}
