/** Makes servers listen, and ends what they have open without a client losing an answer. */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { SettingsError } from '../settings/error.ts'
import type { Settings } from '../settings/variables.ts'
import { stopTimes, trackConnections } from './connections.ts'

/** A server that listens. */
export type Listening = {
  port: number
  /** Stops listening, waits up to `waitMs` for requests under way, then closes what is left. */
  close(waitMs: number): Promise<void>
}

/** Where a server is to listen, and the setting that says so. */
export type Place = { port: number; host: string; setting: keyof Settings }

/** Resolves once `server`, which serves HTTP/1.1, listens. @throws SettingsError when the port is taken. */
export async function listen(server: HttpServer, place: Place): Promise<Listening> {
  const endConnections = trackConnections(server)
  // Node's own would cut connections on which a request is just arriving.
  server.closeIdleConnections = () => {}
  return {
    port: await bind(server, place),
    close: (waitMs) => stop(server, () => endConnections(stopTimes(waitMs))),
  }
}

/** Resolves to the port once `server` listens. @throws SettingsError when the port is taken. */
export async function bind(server: Server, { port, host, setting }: Place): Promise<number> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new SettingsError(`Port ${port} of ${host} is taken. Set ${setting} to a free one.`)
    }
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** Has `server` take no more connections, then ends those that it has. */
export async function stop(server: Server, endConnections: () => Promise<void>): Promise<void> {
  const closed = once(server, 'close')
  // By then the event loop has taken the connections that were waiting, which the system would reset.
  await new Promise((resolve) => setImmediate(resolve))
  server.close()
  await endConnections()
  await closed
}
