/**
 * The name server in the network of a server (RFC 1035): its addresses stand for names (`SyntheticNames`),
 * since only a connection decides which address a name has; other records are those of the DNS.
 */
import type { Socket } from 'node:dgram'
import {
  type Answer,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import type { Draw } from '../../limits/limiter.ts'
import { type Found, type LookUp, recordTypes } from './look-up.ts'
import type { SyntheticNames } from './synthetic-names.ts'

/** `isOpened` says whether a name is one that the operator has opened, which the DNS may not have. */
export type Names = LookUp & { isOpened: (name: string) => boolean; addressOf: SyntheticNames['addressOf'] }

/** More questions at a time, or more than `draw` allows, get no answer: who asks tries again. */
const maxAtATime = 32

/** Longer questions are none. */
const maxQuestionBytes = 1_024

/** The longest response for a client that names no size. */
const plainBytes = 512

const codes = { ok: 0, failed: 2, noName: 3, notImplemented: 4 } as const

/** How long an address stands for its name at least: a client that keeps it longer gets it renewed. */
const ttl = 60

/** Answers at `socket`, until that is closed. */
export function serveNames(socket: Socket, names: Names, draw: () => Draw): void {
  let open = 0
  socket.on('error', () => {})
  socket.on('message', (message, { address, port }) => {
    if (message.length > maxQuestionBytes || open >= maxAtATime || !draw().allowed) return
    const query = read(message)
    if (!query) return
    open += 1
    void answer(query, names)
      .then((reply) => socket.send(reply, port, address))
      // It may be closed by now.
      .catch(() => {})
      .finally(() => {
        open -= 1
      })
  })
}

type Query = { id: number; question: Question; maxBytes: number; isRecursive: boolean }

/** Undefined if a message isn't one question. */
function read(message: Buffer): Query | undefined {
  let packet: Packet
  try {
    packet = decode(message)
  } catch {
    return undefined
  }
  const { type, id = 0, flags = 0, questions: [question, ...more] = [], additionals = [] } = packet
  if (type !== 'query' || !question || more.length > 0) return undefined
  const option = additionals.find((additional) => additional.type === 'OPT')
  const maxBytes = Math.max(plainBytes, option?.udpPayloadSize ?? 0)
  return { id, question, maxBytes, isRecursive: (flags & RECURSION_DESIRED) !== 0 }
}

async function answer({ id, question, maxBytes, isRecursive }: Query, names: Names): Promise<Buffer> {
  const found = (flags: number, answers: Answer[]) =>
    encode({
      type: 'response',
      id,
      flags: (isRecursive ? RECURSION_DESIRED : 0) | RECURSION_AVAILABLE | flags,
      questions: [question],
      answers,
    })
  const [code, answers] = codeOf(await look(question, names))
  const reply = found(
    code,
    answers.map((each) => ({ ...each, name: question.name })),
  )
  return reply.length > maxBytes ? found(code | TRUNCATED_RESPONSE, []) : reply
}

function codeOf(found: Found | undefined): [code: number, answers: Answer[]] {
  if (found === undefined) return [codes.notImplemented, []]
  if (found === 'no name') return [codes.noName, []]
  return found === 'failed' ? [codes.failed, []] : [codes.ok, found.records]
}

/** Undefined where the type is none that is looked up. */
async function look(question: Question, names: Names): Promise<Found | undefined> {
  const name = question.name.toLowerCase().replace(/\.$/, '')
  const { type } = question
  const known = recordTypes.find((each) => each === type)
  if (known) return names.records(name, known)
  if (type !== 'A' && type !== 'AAAA') return undefined
  const found = names.isOpened(name) ? { records: [] } : await names.addresses(name)
  if (typeof found === 'string' || type === 'AAAA') return found
  return { records: [{ type: 'A', name, ttl, data: names.addressOf(name) }] }
}
