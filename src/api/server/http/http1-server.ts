/** The HTTP/1.1 server, which passes on only unambiguous requests. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { useOwnAuthority } from '../../../lib/net/absolute-form.ts'
import { closeInStages } from '../../../lib/net/close-in-stages.ts'
import { continueWhenRead } from '../../../lib/net/continue-when-read.ts'
import { ignoreUpgrades } from '../../../lib/net/ignore-upgrades.ts'
import { inTurn, isEnding, noteResponses, responseUnderWay } from '../../../lib/net/latest-response.ts'
import { refuseConnect } from '../../../lib/net/refuse-connect.ts'
import { connectRefusal, maxHeaderBytes, refuse, refuseOnSocket, wireProblem } from './refuse-ambiguous.ts'
import type { Timeouts } from './timeouts.ts'

/**
 * A server that calls `handle` for requests; it accepts its own connections, and those emitted to it.
 * `onRefused` gets the status of each response that it sends by itself.
 */
export function createHttp1Server(
  timeouts: Timeouts,
  handle: RequestListener,
  onRefused: (status: number) => void,
): Server {
  const refused = new WeakSet<Socket>()
  function take(request: IncomingMessage, response: ServerResponse): void {
    // Pipelined behind too many.
    if (!isEnding(request.socket)) inTurn(response, () => takeNow(request, response))
  }

  function takeNow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // Pipelined behind a refused request, after which nothing on this connection is certain.
    if (refused.has(socket)) return
    useOwnAuthority(request)
    const problem = wireProblem(request)
    if (problem) {
      refused.add(socket)
      refuse(request, response, problem)
      onRefused(problem.status)
      return
    }
    handle(request, response)
  }
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headersMs,
      // Bodies have time limits or a minimum rate of their own, and unread ones are cut off soon.
      requestTimeout: 0,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would respond without a body; wireProblem checks it.
      requireHostHeader: false,
    },
    take,
  )
  // Without a listener Node requests every body, also that of a request which is refused by its head.
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response)
    take(request, response)
  })
  ignoreUpgrades(server)
  refuseConnect(server, timeouts.lingerMs, () => {
    onRefused(405)
    return connectRefusal()
  })
  noteResponses(server)
  closeInStages(server, timeouts.lingerMs)
  server.timeout = timeouts.idleMs
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Node would drop headers past its own limit; wireProblem refuses the request instead.
  server.maxHeadersCount = 0
  // A client may half-close its side after sending the request, and still gets the response.
  Object.assign(server, { httpAllowHalfOpen: true })
  const refuseError = (error: Error, socket: Socket) => {
    const status = refuseOnSocket(error, socket, timeouts.lingerMs)
    if (status !== undefined) onRefused(status)
  }
  server.on('clientError', (error, socket: Socket) => {
    // The end of the client's side is another error, which must not cut the connection meanwhile.
    if (refused.has(socket)) return
    refused.add(socket)
    const response = responseUnderWay(socket)
    // The malformed data comes after a complete request, which is answered first.
    if (response?.req.complete) {
      response.once('close', () => refuseError(error, socket))
    } else refuseError(error, socket)
  })
  return server
}
