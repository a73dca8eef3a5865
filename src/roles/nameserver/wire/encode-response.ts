/** Encoded responses: encoded once, then copied and adapted for each client. */
import type { Owned, Reply } from '../answer/reply.ts'
import { MessageTooLarge, startMessage, type Writer } from './byte-writer.ts'
import { internet, rcodes, types } from './codes.ts'
import { headerBytes, nameOf, type Question } from './question.ts'
import { leastBytes, writeRdata } from './write-rdata.ts'

/**
 * A complete response to a client without EDNS; the bytes from `needed` on are optional. The question ends at
 * `start`: the rest is moved, with its `pointers`, if the queried name has another length.
 */
export type Encoded = { bytes: Buffer; start: number; needed: number; pointers: number[] }

/** The UDP payload that every network supports (DNS flag day 2020), and that of clients without EDNS. */
export const maxUdpBytes = 1_232
const plainUdpBytes = 512

const optBytes = 11

/** A pointer to the queried name. */
const toQuestion = 0xc000 | headerBytes

const isAnswer = 0x80
const isAuthoritative = 0x04
export const isTruncated = 0x02
const recursionDesired = 0x01

/** The largest UDP response that a client accepts (RFC 6891, section 6.2.3). */
export function udpLimit({ edns }: Question): number {
  return edns ? Math.min(Math.max(edns.bytes, plainUdpBytes), maxUdpBytes) : plainUdpBytes
}

/** Encodes a response; undefined if it exceeds any message. @throws when a record doesn't match its type. */
export function encode(key: string, reply: Reply): Encoded | undefined {
  return unlessTooLarge(() => {
    const writer = startMessage()
    return writeMessage(writer, nameOf(key), reply)
  })
}

/** The same for all names with this reply, `key` being one of them. */
export function encodeShared(key: string, reply: Reply): Encoded | undefined {
  return unlessTooLarge(() => writeMessage(startMessage(true), '', reply, nameOf(key)))
}

function unlessTooLarge(write: () => Encoded): Encoded | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof MessageTooLarge) return undefined
    throw error
  }
}

/** `question` is the name of the question, if that isn't `name`. */
function writeMessage(writer: Writer, name: string, reply: Reply, question?: string): Encoded {
  writer.short(0)
  writer.byte(isAnswer | (reply.isAuthoritative ? isAuthoritative : 0))
  writer.byte(reply.rcode)
  writer.short(1)
  for (let count = 0; count < 3; count += 1) writer.short(0)
  writer.name(name, true)
  // The type, which is the client's own like its name.
  writer.short(0)
  writer.short(internet)
  const start = writer.at()
  writer.setShort(6, writeSets(writer, reply.answer, question))
  writer.setShort(8, writeSets(writer, reply.authority))
  const end = writer.at()
  writer.setShort(10, writeAdditional(writer, reply))
  // RFC 9471: a referral is useless without its glue.
  const needed = reply.isReferral ? writer.at() : end
  return { bytes: writer.copy(), start, needed, pointers: writer.pointers }
}

/** Leaves out what doesn't fit, except the glue of a referral. */
function writeAdditional(writer: Writer, { additional, isReferral }: Reply): number {
  const start = writer.at()
  try {
    return writeSets(writer, additional)
  } catch (error) {
    if (isReferral || !(error instanceof MessageTooLarge)) throw error
    writer.cutTo(start)
    return 0
  }
}

/** Returns the number of records. */
function writeSets(writer: Writer, sets: Owned[], question?: string): number {
  let count = 0
  for (const { name, set } of sets) {
    for (const value of set.values) {
      if (name === question) writer.short(toQuestion)
      else writer.name(name, true)
      writer.short(set.type)
      writer.short(internet)
      writer.long(set.ttl)
      writer.sized(() => writeRdata(writer, set.type, value))
      count += 1
    }
  }
  return count
}

/**
 * The response for the client of `packet`, at most `maxBytes`: if it doesn't fit, it is truncated with the TC
 * bit.
 */
export function answerWith(
  packet: Buffer,
  question: Question,
  encoded: Encoded | undefined,
  maxBytes: number,
): Buffer {
  const room = roomFor(question, maxBytes)
  if (!encoded) return answerTruncated(packet, question, true)
  const moved = question.end - encoded.start
  if (encoded.needed + moved > room) {
    return answerTruncated(packet, question, ((encoded.bytes[2] ?? 0) & isAuthoritative) !== 0)
  }
  const isWhole = encoded.bytes.length + moved <= room
  const length = moved + (isWhole ? encoded.bytes.length : encoded.needed)
  const answer = Buffer.allocUnsafe(length + (question.edns ? optBytes : 0))
  if (moved === 0) encoded.bytes.copy(answer, 0, 0, length)
  else copyMoved(encoded, answer, moved, length)
  if (!isWhole) answer.writeUInt16BE(0, 10)
  answer[0] = packet[0] ?? 0
  answer[1] = packet[1] ?? 0
  answer[2] = (answer[2] ?? 0) | ((packet[2] ?? 0) & recursionDesired)
  // The name in the client's own case, which resolvers check (0x20).
  packet.copy(answer, headerBytes, headerBytes, question.end)
  if (question.edns) writeOpt(answer, length, question.edns.dnssecOk, 0)
  return answer
}

function roomFor({ edns }: Question, maxBytes: number): number {
  return maxBytes - (edns ? optBytes : 0)
}

/** Copies an encoded response of `length` bytes, all of it behind the question. */
function copyMoved({ bytes, start, pointers }: Encoded, answer: Buffer, moved: number, length: number): void {
  bytes.copy(answer, 0, 0, headerBytes)
  bytes.copy(answer, start + moved, start, length - moved)
  for (const at of pointers) {
    if (at + moved >= length) return
    answer.writeUInt16BE(bytes.readUInt16BE(at) + moved, at + moved)
  }
}

/** Whether a reply can't fit in `maxBytes` in any encoding, without encoding it. */
export function isTooLong(reply: Reply, question: Question, maxBytes: number): boolean {
  let room = roomFor(question, maxBytes) - question.end
  for (const { set } of [...reply.answer, ...reply.authority]) {
    room -= leastBytes(set, room)
    if (room < 0) return true
  }
  return false
}

/** A truncated response. */
export function answerTruncated(packet: Buffer, question: Question, isOurs: boolean): Buffer {
  return answerEmpty(packet, question, rcodes.noError, isTruncated | (isOurs ? isAuthoritative : 0))
}

/** A response without records. */
export function answerEmpty(packet: Buffer, question: Question, rcode: number, flags = 0): Buffer {
  const { end, edns } = question
  const answer = Buffer.alloc(end + (edns ? optBytes : 0))
  packet.copy(answer, 0, 0, 2)
  // The opcode is the question's.
  answer[2] = isAnswer | ((packet[2] ?? 0) & 0x79) | flags
  answer[3] = rcode & 0x0f
  if (end > headerBytes) {
    answer[5] = 1
    packet.copy(answer, headerBytes, headerBytes, end)
  }
  if (edns) writeOpt(answer, end, edns.dnssecOk, rcode >> 4)
  return answer
}

/** RFC 6891, section 6.1.2; RFC 3225, section 3. */
function writeOpt(answer: Buffer, start: number, dnssecOk: boolean, upperRcode: number): void {
  let at = answer.writeUInt8(0, start)
  at = answer.writeUInt16BE(types.OPT, at)
  at = answer.writeUInt16BE(maxUdpBytes, at)
  at = answer.writeUInt8(upperRcode, at)
  at = answer.writeUInt8(0, at)
  at = answer.writeUInt16BE(dnssecOk ? 0x8000 : 0, at)
  answer.writeUInt16BE(0, at)
  answer.writeUInt16BE(answer.readUInt16BE(10) + 1, 10)
}
