/** Ports that stay the fleet's while its processes are away. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, one of which would hinder a restart. */
const first = 20_000
const last = 30_000

/** Consecutive ports that nobody listens on, TCP or UDP. */
export async function choosePorts(count: number): Promise<number[]> {
  for (;;) {
    const from = first + Math.floor(Math.random() * (last - first - count))
    const ports = Array.from({ length: count }, (_, at) => from + at)
    const free = await Promise.all(ports.map(isFree))
    if (free.every(Boolean)) return ports
  }
}

async function isFree(port: number): Promise<boolean> {
  const tcp = createServer()
  const udp = createSocket('udp4')
  try {
    await Promise.all([
      once(tcp.listen(port, '127.0.0.1'), 'listening'),
      once(udp.bind(port, '127.0.0.1'), 'listening'),
    ])
    return true
  } catch {
    return false
  } finally {
    tcp.close()
    udp.close()
  }
}
