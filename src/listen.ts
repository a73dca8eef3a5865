/** Makes an HTTP server listen, and closes it without cutting off the requests under way. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { SettingsError } from './settings.ts'

/** Resolves to the port once `server` listens. @throws SettingsError when the port is taken. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new SettingsError(
        `Port ${port} of ${host} is taken. Set SVC_PORT or SVC_EDGE_PORT to a free one.`,
      )
    }
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** Stops listening, waits up to `waitMs` for requests under way, then closes what is left. */
export async function closeServer(server: Server, waitMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that becomes idle after this would be kept alive: answers from now on end it.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const timer = setTimeout(() => server.closeAllConnections(), waitMs)
  await closed
  clearInterval(idle)
  clearTimeout(timer)
}
