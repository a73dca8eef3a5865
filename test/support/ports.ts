/** Free ports for settings that need a number. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that was free a moment ago. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return String(address.port)
}
