/**
 * Which process of a program answers on a connection, from what Linux reports: it makes no difference to
 * clients.
 */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** The processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Those that are the same program as their parent, and not a command that it runs. */
export async function programsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid)
  const commands = await Promise.all(
    children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  )
  return children.filter((_, at) => commands[at]?.includes('--process'))
}

/** Those of `pids` that run; one that has ended may wait for its parent to take notice. */
export async function runningOf(pids: number[]): Promise<number[]> {
  const states = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X')),
  )
  return pids.filter((_, at) => !/\) [XZ]/.test(states[at] ?? ''))
}

type Place = { port: number; localAddress?: string; headers?: Record<string, string> }

type Answer = { status: number; body: string }

/** One connection, which stays open. */
export type Connection = {
  /** The process at its other end. */
  pid: number
  send(
    method: string,
    path: string,
    body?: string | AsyncIterable<string | Buffer>,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Calls `hear` with the parts of an endless response. */
  read(path: string, hear: (text: string) => void): void
  close(): void
}

/**
 * Opens a connection by a request for `/healthz`, and finds out which of `pids` has it; undefined if it was
 * closed.
 */
async function connectTo(place: Place, pids: number[]): Promise<Connection | undefined> {
  const { port, localAddress, headers: usual } = place
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...(localAddress && { localAddress }) })
  let socket: Socket | undefined
  const send: Connection['send'] = (method, path, body, headers) =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const sent = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { ...usual, ...type, ...headers } },
        (response) => {
          socket = response.socket
          readAll(response).then(resolve, reject)
        },
      )
      sent.on('error', reject)
      write(sent, body).catch(reject)
    })
  function read(path: string, hear: (text: string) => void): void {
    request({ host: '127.0.0.1', port, agent, path, headers: usual }, (response) => {
      response
        .setEncoding('utf8')
        .on('data', hear)
        .on('error', () => {})
    })
      .on('error', () => {})
      .end()
  }
  await send('GET', '/healthz')
  const close = () => agent.destroy()
  const pid = await processAt(port, socket, pids)
  if (pid !== undefined) return { pid, send, read, close }
  close()
  return undefined
}

async function readAll(response: IncomingMessage): Promise<Answer> {
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode ?? 0, body }
}

async function write(
  to: NodeJS.WritableStream,
  body: string | AsyncIterable<string | Buffer> | undefined,
): Promise<void> {
  if (typeof body === 'object') for await (const part of body) to.write(part)
  if (typeof body === 'string') to.end(body)
  else to.end()
}

/** Opens connections until each of `pids` has `each` of them; they are in the order of `pids`. */
export async function connectToEach(place: Place, pids: number[], each = 1): Promise<Connection[]> {
  const found = new Map(pids.map((pid): [number, Connection[]] => [pid, []]))
  for (let turn = 0; turn < 30; turn += 1) {
    // Many at once: a process that is idle may take all that come one after another.
    for (const connection of await Promise.all(Array.from({ length: 8 }, () => connectTo(place, pids)))) {
      // A process with too many connections closes idle ones.
      if (!connection) continue
      const those = found.get(connection.pid)
      if (those && those.length < each) those.push(connection)
      else connection.close()
    }
    if ([...found.values()].every((those) => those.length === each)) return [...found.values()].flat()
  }
  return expect.unreachable('one of the processes takes no connections')
}

/**
 * Which of `pids` has the other end of `socket`, which is connected to `port`; undefined once it is closed.
 */
async function processAt(
  port: number,
  socket: Socket | undefined,
  pids: number[],
): Promise<number | undefined> {
  // Its port is no longer known once it is closed.
  const { localPort } = socket ?? {}
  const endMs = performance.now() + 10_000
  while (socket && localPort !== undefined && !socket.destroyed) {
    // The files of /proc show no one moment: while sockets come and go, a look can miss one that was there
    // all along.
    const pid = await findProcess(port, localPort, pids)
    if (pid !== undefined) return pid
    if (performance.now() > endMs)
      throw new Error(`None of the processes has the connection from port ${localPort}.`)
    await sleep(5)
  }
  return undefined
}

async function findProcess(port: number, peerPort: number, pids: number[]): Promise<number | undefined> {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0')
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
  const fields = lines
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, peer]) => local?.endsWith(`:${hex(port)}`) && peer?.endsWith(`:${hex(peerPort)}`))
  const link = `socket:[${fields?.[9]}]`
  for (const pid of pids) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
    if (links.includes(link)) return pid
  }
  return undefined
}
