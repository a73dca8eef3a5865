/** Sends a request, and the visitor's body with it as it comes, by node:http. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './has-body.ts'
import type { Receiver, Send } from './sending.ts'
import { addTrailers } from './write-answer.ts'

/** How long the body of a request over HTTP/2 waits for the server's `100 (Continue)`, in milliseconds. */
const continueMs = 1_000

/** Sends the request that `open` returns, whose body is that of `req`. */
export function sendByHttp(open: () => ClientRequest, req: IncomingMessage): Send {
  return (receiver) => {
    const upstream = open()
    let answer: IncomingMessage | undefined
    upstream.on('error', receiver.fails)
    upstream.on('continue', receiver.wantsBody)
    upstream.on('information', ({ statusCode, rawHeaders }) => receiver.hints(statusCode, rawHeaders))
    upstream.on('upgrade', ({ rawHeaders }, socket, head) => receiver.switches(rawHeaders, { socket, head }))
    upstream.on('response', (response) => {
      answer = response
      passAnswer(response, receiver)
    })
    passBody(req, upstream, receiver.heard)
    return {
      wasKept: () => upstream.reusedSocket,
      goOn: () => void answer?.resume(),
      stop() {
        // A server may answer before it has read the body.
        if (!answer?.complete || !upstream.writableFinished) upstream.destroy()
      },
    }
  }
}

function passAnswer(answer: IncomingMessage, receiver: Receiver): void {
  try {
    receiver.begins(answer.statusCode ?? 0, answer.rawHeaders)
  } catch (error) {
    receiver.fails(error)
    return
  }
  answer.on('data', (chunk: Buffer) => {
    if (!receiver.goesOn(chunk)) answer.pause()
  })
  answer.once('error', receiver.fails)
  answer.once('end', () => {
    // One that was cut off ends, too.
    if (answer.complete) receiver.ends(answer.rawTrailers)
    else receiver.fails(new Error('The answer was cut short.'))
  })
}

/** Sends the visitor's body as it comes, once somebody is there to take it. */
function passBody(req: IncomingMessage, upstream: ClientRequest, heard: () => void): void {
  if (!hasBody(req)) {
    upstream.end()
    return
  }
  const send = () => {
    req.on('data', heard)
    upstream.on('drain', heard)
    req.pipe(upstream, { end: false })
    req.once('end', () => {
      addTrailers(upstream, req.rawTrailers)
      upstream.end()
    })
  }
  // Over HTTP/2, reading the body requests it from the visitor.
  if (req.httpVersionMajor === 1 || req.headers.expect === undefined) {
    whenConnected(upstream, send)
    return
  }
  const timer = setTimeout(() => whenConnected(upstream, send), continueMs)
  upstream.once('continue', () => {
    clearTimeout(timer)
    send()
  })
  upstream.once('close', () => clearTimeout(timer))
}

/** Until then, what has been read of a body would be lost with a connection that doesn't come about. */
function whenConnected(upstream: ClientRequest, send: () => void): void {
  const sendUnlessOver = () => {
    if (!upstream.destroyed) send()
  }
  const useSocket = (socket: Socket) => {
    if (socket.connecting) socket.once('connect', sendUnlessOver)
    else sendUnlessOver()
  }
  if (upstream.socket) useSocket(upstream.socket)
  else upstream.once('socket', useSocket)
}
