/** Serves HTTP/1.1, and passes on only requests whose meaning is certain. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { noteResponses, responseUnderWay } from '../../net/latest-response.ts'
import type { Timeouts } from '../deps.ts'
import { maxHeaderBytes, refuse, refuseOnSocket, wireProblem } from './wire.ts'

/**
 * A server that has `handle` answer requests; it takes connections of its own, and those it is handed. `onRefused` is told
 * the status of what it answers by itself.
 */
export function createHttp1Server(
  timeouts: Timeouts,
  handle: RequestListener,
  onRefused: (status: number) => void,
): Server {
  const refused = new WeakSet<Socket>()
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headersMs,
      // Each body has a time or a pace of its own, and what comes of one that nobody wants is soon hung up on.
      requestTimeout: 0,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would answer without a body; wireProblem looks at it.
      requireHostHeader: false,
    },
    (request, response) => {
      const { socket } = request
      // It came in one piece with a refused request, after which nothing on this connection is certain.
      if (refused.has(socket)) return
      const problem = wireProblem(request)
      if (problem) {
        refused.add(socket)
        refuse(request, response, problem)
        onRefused(problem.status)
        return
      }
      handle(request, response)
    },
  )
  noteResponses(server)
  server.timeout = timeouts.idleMs
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Node would leave out headers past its own limit; wireProblem refuses the request instead.
  server.maxHeadersCount = 0
  // A client may close its side once it has sent everything, and still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const refuseError = (error: Error, socket: Socket) => {
    const status = refuseOnSocket(error, socket, timeouts.lingerMs)
    if (status !== undefined) onRefused(status)
  }
  server.on('clientError', (error, socket: Socket) => {
    // The end of the client's side is an error once more, for which the connection must not be cut meanwhile.
    if (refused.has(socket)) return
    refused.add(socket)
    const response = responseUnderWay(socket)
    // What is wrong comes after a whole request, which gets its own answer first.
    if (response?.req.complete) {
      response.once('close', () => refuseError(error, socket))
    } else refuseError(error, socket)
  })
  return server
}
