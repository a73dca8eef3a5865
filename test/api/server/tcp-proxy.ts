/** A TCP proxy that tests can cut, hang, silence or slow. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export type TcpProxy = {
  port: number
  /** Resets every connection, and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>
  /** Sends nothing more to connections that have sent `text`, without closing them; returns their number. */
  silence(text: string): number
  /** Forwards nothing any more, on existing and new connections; they stay open. */
  hang(): void
  /** Forwards again, including what arrived meanwhile. */
  resume(): void
  /** From now on what passes, either way, arrives so many milliseconds later. */
  delay(ms: number): void
}

/** How much of what a connection has sent first is kept for `silence`. */
const keptBytes = 16_384

const resetMs = 100

/** A proxy to `port` of `host`, on the port `at`, or on any. */
export async function startTcpProxy(host: string, port: number, at = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  /** The far end of each connection, the way back, and the first bytes sent to the far end. */
  const pairs = new Set<{ far: Socket; back: Transform; sent: string }>()
  let server: Server | undefined
  let hangs = false
  let delayMs = 0

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }

  async function listen(on: number): Promise<number> {
    server = createServer((near) => {
      const far = keep(connect(port, host))
      const [forth, back] = [createDelay(() => delayMs), createDelay(() => delayMs)]
      keep(near).pipe(delayed(forth)).pipe(far)
      const returning = far.pipe(delayed(back))
      returning.pipe(near)
      const pair = { far, back: returning, sent: '' }
      pairs.add(pair)
      near.on('data', (chunk) => {
        if (pair.sent.length < keptBytes) pair.sent += chunk.toString('latin1')
      })
      near.on('close', () => pairs.delete(pair))
      if (hangs) near.pause()
      near.on('close', () => far.destroy())
      // What it sent last arrives before.
      far.on('close', () => back(() => near.destroySoon()))
    })
    server.listen(on, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  const own = await listen(at)
  return {
    port: own,
    async cut() {
      if (!server?.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
      // A reset waits for what is still to be written, which the other end may never read.
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, resetMs)
      await closed
      clearTimeout(timer)
    },
    silence(text) {
      const silenced = [...pairs].filter(({ sent }) => sent.toLowerCase().includes(text))
      for (const { far, back } of silenced) far.unpipe(back).resume()
      return silenced.length
    },
    async restore() {
      if (!server?.listening) await listen(own)
    },
    hang() {
      hangs = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      hangs = false
      for (const socket of sockets) socket.resume()
    },
    delay(ms) {
      delayMs = ms
    },
  }
}

/** Returns a function that runs each work after a delay, in order. */
function createDelay(delayMs: () => number): (work: () => void) => void {
  const waiting: { dueMs: number; work: () => void }[] = []

  function runDue(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const waitMs = next.dueMs - performance.now()
      if (waitMs > 0) {
        setTimeout(runDue, Math.ceil(waitMs))
        return
      }
      waiting.shift()
      next.work()
    }
  }

  return (work) => {
    waiting.push({ dueMs: performance.now() + delayMs(), work })
    if (waiting.length === 1) runDue()
  }
}

/** Passes on what it gets after the delay. */
function delayed(delay: (work: () => void) => void): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      delay(() => this.push(chunk))
      done()
    },
    flush: (done) => delay(done),
  })
}
