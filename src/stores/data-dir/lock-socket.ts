/**
 * A socket of the process that holds the data directory: answered as long as it lives, wherever it is seen
 * from.
 */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hasCode } from '../../lib/has-code.ts'
import { socketPath } from './socket-path.ts'

const name = 'lock.sock'

/**
 * Listens in `directory`, whose lock this process holds; the function that it returns ends that and removes
 * the socket.
 * @throws SettingsError when the path is too long for a socket; other errors of `listen`.
 */
export async function listenAsHolder(directory: string): Promise<() => Promise<void>> {
  const path = socketPath(directory, name)
  // Left by a process that died.
  await rm(path, { force: true })
  const server = createServer((connection) => connection.destroy())
  server.listen(path)
  await once(server, 'listening')
  server.unref()
  return async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    await closed
  }
}

/** Whether a process listens there. One that may not be reached counts as living. */
export async function isHolderListening(directory: string): Promise<boolean> {
  const socket = connect(socketPath(directory, name))
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    return !hasCode(error, 'ECONNREFUSED') && !hasCode(error, 'ENOENT')
  } finally {
    socket.destroy()
  }
}
