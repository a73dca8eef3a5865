/** A Redis of the fleet's own. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { startChild } from './child.ts'

export type Redis = {
  url: string
  pid(): number | undefined
  kill(): Promise<void>
  /** Starts it again, empty; resolves once it accepts connections. */
  start(): Promise<void>
}

const startMs = 10_000

export async function startRedis(directory: string, port: number): Promise<Redis> {
  const log = join(directory, 'redis.log')
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', directory]
  const run = () => startChild(['redis-server', ...flags], { log })
  let child = run()
  await untilReady(port)
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.process.pid,
    async kill() {
      await child.end('SIGKILL')
    },
    async start() {
      child = run()
      await untilReady(port)
    },
  }
}

/** @throws when it doesn't accept connections in time. */
async function untilReady(port: number): Promise<void> {
  const look = async () => {
    const socket = connect({ port, host: '127.0.0.1' })
    try {
      await once(socket, 'connect')
    } finally {
      socket.destroy()
    }
  }
  await eventually(look, { limitMs: startMs })
}
