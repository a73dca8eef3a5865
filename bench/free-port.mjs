/** Ports of servers that are started. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A port that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Resolves once something accepts connections on the port. @throws after 5 seconds. */
export async function untilAccepts(port, name) {
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (tries === 100) throw new Error(`${name} did not start.`)
    await wait(50)
  }
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
