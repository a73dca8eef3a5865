/** Connections to servers of deployments, which are kept for each start of one. */
import { LRUCache } from 'lru-cache'
import { Client, type Dispatcher } from 'undici'
import type { ServerLease } from '../../../platform/servers/servers.ts'
import { maxHeaderSize } from './origin-request.ts'
import { boundsOfServers } from './places.ts'
import type { Receiver, Send, Sent } from './sending.ts'

/** A request without its body. */
export type Head = { method: string; path: string; fields: string[] }

export type KeptConnections = {
  /** Sends requests without a body, without `Expect` and `Upgrade`. They fail with an error of the system. */
  send(to: Pick<ServerLease, 'path' | 'start'>, head: Head): Send
}

/** A client with one connection at most; `isUsed` once that has brought an answer. */
type Connection = { client: Client; isUsed: boolean }

/** The idle connections of one start. */
type Start = { idle: Connection[]; isForgotten: boolean }

/** How long a connection is kept for the next request: shorter than servers keep theirs. */
const idleMs = 4_000

/**
 * How many are kept for each start: as many as it gets requests at a time, so that a busy server isn't
 * connected to anew each time that fewer are under way for a moment.
 */
const maxIdle = boundsOfServers.held.perOrigin

/** More than a node runs at a time; what is forgotten are connections that nobody uses. */
const maxStarts = 256

/** The connections of a process. */
export function createKeptConnections(): KeptConnections {
  const starts = new LRUCache<string, Start>({ max: maxStarts, dispose: forget })

  function startOf(name: string): Start {
    const known = starts.get(name)
    if (known) return known
    const start = { idle: [], isForgotten: false }
    starts.set(name, start)
    return start
  }

  return {
    send: (to, head) => (receiver) => {
      const start = startOf(to.start)
      const connection = start.idle.pop() ?? connectTo(to.path)
      return dispatch(connection, head, { receiver, done: () => keep(start, connection) })
    },
  }
}

function connectTo(socketPath: string): Connection {
  const client = new Client('http://localhost', {
    socketPath,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    maxHeaderSize,
    // Whoever passes the request on knows how long the server may be silent.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const connection = { client, isUsed: false }
  client.on('disconnect', () => {
    connection.isUsed = false
  })
  return connection
}

function keep(start: Start, connection: Connection): void {
  connection.isUsed = true
  if (start.isForgotten || start.idle.length >= maxIdle) void connection.client.destroy()
  else start.idle.push(connection)
}

function forget(start: Start): void {
  start.isForgotten = true
  for (const { client } of start.idle.splice(0)) void client.destroy()
}

function dispatch(
  { client, isUsed }: Connection,
  { method, path, fields }: Head,
  { receiver, done }: { receiver: Receiver; done: () => void },
): Sent {
  let controller: Dispatcher.DispatchController | undefined
  let hasAnswer = false
  let isOver = false
  client.dispatch(
    { method, path, headers: fields },
    {
      onRequestStart(started) {
        controller = started
      },
      onResponseStarted() {
        hasAnswer = true
      },
      onResponseStart({ rawHeaders }, status) {
        const fields = textsOf(rawHeaders)
        if (status < 200) receiver.hints(status, fields)
        else receiver.begins(status, fields)
      },
      onResponseData(given, chunk) {
        if (!receiver.goesOn(chunk)) given.pause()
      },
      onResponseEnd({ rawTrailers }) {
        isOver = true
        done()
        receiver.ends(textsOf(rawTrailers))
      },
      onResponseError(_given, error) {
        isOver = true
        void client.destroy()
        receiver.fails(error)
      },
    },
  )
  return {
    wasKept: () => isUsed && !hasAnswer,
    goOn: () => controller?.resume(),
    stop() {
      if (!isOver) void client.destroy()
    },
  }
}

/** The names and values of a header, which are bytes, as node:http has them. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  return Array.isArray(raw) ? raw.map((each) => each.toString('latin1')) : []
}
