/**
 * The response to the latest request of each connection, for what concerns a connection rather than a
 * request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const latest = new WeakMap<Socket, ServerResponse>()

/**
 * How many responses of a connection wait for others before them: its client sends requests without reading.
 */
const behind = new WeakMap<Socket, number>()

/** The response before another one of its connection, which waits for it. */
const before = new WeakMap<ServerResponse, ServerResponse>()

/**
 * Node takes all requests of a packet at once, thousands of small ones: beyond this, they are left
 * unanswered.
 */
const maxBehind = 256

/** Connections that had such requests. */
const ending = new WeakSet<Socket>()

/**
 * Begins to note the responses of `server`, which has its listeners by now. Does nothing when called again.
 */
export function noteResponses(server: Server): void {
  // Each begins a request; without a listener for the others, Node answers it.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    const listeners = server.listeners(event)
    if (listeners.length > 0 && !listeners.includes(note)) server.prependListener(event, note)
  }
}

function note({ socket }: IncomingMessage, response: ServerResponse): void {
  const last = latest.get(socket)
  // One event may have led to the other.
  if (last === response) return
  // Node resumes reading once some of what waits is sent.
  if (ending.has(socket)) socket.pause()
  if (isEnding(socket)) return
  const isBehind = responseUnderWay(socket) !== undefined
  if (isBehind && last && responsesBehind(socket) === maxBehind) {
    ending.add(socket)
    endAfter(last, socket)
    return
  }
  latest.set(socket, response)
  if (!isBehind || !last) return
  before.set(response, last)
  count(socket, response)
}

/** Reads nothing more, and ends the connection when the response and those before it have been sent. */
function endAfter(response: ServerResponse, socket: Socket): void {
  socket.pause()
  if (!response.headersSent) response.shouldKeepAlive = false
  response.once('finish', () => socket.destroySoon())
}

function count(socket: Socket, response: ServerResponse): void {
  behind.set(socket, responsesBehind(socket) + 1)
  response.once('close', () => behind.set(socket, responsesBehind(socket) - 1))
}

/**
 * Whether nothing more on a connection is to be handled: it is closed, or ends after responses to earlier
 * requests.
 */
export function isEnding(socket: Socket): boolean {
  return socket.destroyed || ending.has(socket)
}

/** How many responses of a connection wait for others before them. */
export function responsesBehind(socket: Socket): number {
  return behind.get(socket) ?? 0
}

/**
 * Calls `act`, which handles the request of a response, once the responses before it have been sent: at once,
 * unless its client sends on without reading. So a packet of hundreds of requests holds up nobody else. Where
 * the connection has ended by then, nothing is handled.
 */
export function inTurn(response: ServerResponse, act: () => void): void {
  const { socket } = response.req
  const last = before.get(response)
  if (!last) act()
  else last.once('close', () => setImmediate(() => socket.writable && act()))
}

/**
 * The latest response of a connection until all of it was sent and the connection is free for another one,
 * which is when Node detaches it. Responses are sent in the order of their requests: no other is under way
 * then.
 */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const response = latest.get(socket)
  return response?.writableFinished && !response.socket ? undefined : response
}

/**
 * Calls `act` once no response of a connection is under way: at once, or when the last one has been sent or
 * given up.
 */
export function afterResponses(socket: Socket, act: () => void): void {
  const response = responseUnderWay(socket)
  if (response) response.once('close', act)
  else act()
}
