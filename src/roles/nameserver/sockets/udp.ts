/** DNS over UDP. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { within } from '../../../lib/async/within.ts'
import type { DnsObserver } from '../../../platform/observability/observers.ts'
import type { Responder } from '../respond.ts'
import { rcodes } from '../wire/codes.ts'
import { answerEmpty, isTruncated, udpLimit } from '../wire/encode-response.ts'
import { type Question, readQuestion } from '../wire/question.ts'
import { rcodeOf } from '../wire/rcode-of.ts'
import type { Verdict } from './response-rate.ts'

export type UdpServer = {
  port: number
  /** Takes no more questions, sends pending responses for up to `waitMs`, closes. */
  close(waitMs: number): Promise<void>
}

type Options = {
  respond: Responder['respond']
  verdict: (address: string) => Verdict
  family: 4 | 6
  host: string
  port: number
  observe?: DnsObserver | undefined
}

/** For bursts; the system may grant less. */
const receiveBufferBytes = 4 * 1024 * 1024

/** Listens. Rejects as the socket does when it can't. */
export async function listenUdp({
  respond,
  verdict,
  family,
  host,
  port,
  observe,
}: Options): Promise<UdpServer> {
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // Only addresses are ever sent to: Node's name lookup costs more than the response.
    lookup: (address, _, callback) => callback(null, address, family),
  })
  const underWay = new Set<Promise<void>>()
  let isClosing = false

  const send = (answer: Buffer, { port, address }: RemoteInfo) => {
    try {
      // Without a callback errors are ignored: an unreachable client is no concern.
      socket.send(answer, port, address)
    } catch {}
  }

  function sendCounted(answer: Buffer, question: Question, sender: RemoteInfo): void {
    observe?.answered('udp', rcodeOf(question, answer))
    send(answer, sender)
  }

  function receive(packet: Buffer, sender: RemoteInfo): void {
    if (isClosing || sender.port === 0) return
    const question = readQuestion(packet)
    if (!question) return
    const sentence = verdict(sender.address)
    if (sentence !== 'send') observe?.limited(sentence)
    if (sentence === 'drop') return
    if (sentence === 'truncate') {
      send(answerEmpty(packet, question, question.problem ?? rcodes.noError, isTruncated), sender)
      return
    }
    const answer = respond(packet, question, udpLimit(question))
    if (Buffer.isBuffer(answer)) sendCounted(answer, question, sender)
    else answerLater(answer, question, sender)
  }

  function answerLater(answer: Promise<Buffer>, question: Question, sender: RemoteInfo): void {
    const sent = answer.then((bytes) => {
      underWay.delete(sent)
      sendCounted(bytes, question, sender)
    })
    underWay.add(sent)
  }

  // The socket may listen before `bind` returns.
  const listening = once(socket, 'listening')
  socket.bind(port, host)
  await listening
  socket.on('error', () => {})
  socket.on('message', receive)
  growReceiveBuffer(socket)

  return {
    port: socket.address().port,
    async close(waitMs) {
      isClosing = true
      await within(waitMs, Promise.allSettled(underWay), () => {})
      await new Promise<void>((resolve) => socket.close(resolve))
    },
  }
}

function growReceiveBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(receiveBufferBytes)
  } catch {
    // If the system refuses, its default size has to do.
  }
}
