/** Answers as bytes: made once, then copied for each client with what is its own. */
import type { Owned, Reply } from '../answer/reply.ts'
import { internet, rcodes, types } from './codes.ts'
import { headerBytes, nameOf, type Question } from './question.ts'
import { writeRdata } from './rdata.ts'
import { MessageTooLarge, startMessage, type Writer } from './writer.ts'

/** A whole answer to a client without EDNS; the bytes from `needed` on may be left out. */
export type Encoded = { bytes: Buffer; needed: number }

/** The UDP payload that every network takes (DNS flag day 2020), and that of clients without EDNS. */
const maxUdpBytes = 1_232
const plainUdpBytes = 512

const optBytes = 11

const isAnswer = 0x80
const isAuthoritative = 0x04
export const isTruncated = 0x02
const recursionDesired = 0x01

/** How much of an answer a client takes by UDP (RFC 6891, section 6.2.3). */
export function udpLimit({ edns }: Question): number {
  return edns ? Math.min(Math.max(edns.bytes, plainUdpBytes), maxUdpBytes) : plainUdpBytes
}

/** Writes an answer; undefined where no message has room for it. @throws where a record isn't what its type has. */
export function encode(key: string, reply: Reply): Encoded | undefined {
  const writer = startMessage()
  try {
    return writeMessage(writer, key, reply)
  } catch (error) {
    if (error instanceof MessageTooLarge) return undefined
    throw error
  }
}

function writeMessage(writer: Writer, key: string, reply: Reply): Encoded {
  writer.short(0)
  writer.byte(isAnswer | (reply.isAuthoritative ? isAuthoritative : 0))
  writer.byte(reply.rcode)
  writer.short(1)
  for (let count = 0; count < 3; count += 1) writer.short(0)
  writer.name(nameOf(key), true)
  writer.short((key.charCodeAt(key.length - 2) << 8) | key.charCodeAt(key.length - 1))
  writer.short(internet)
  writer.setShort(6, writeSets(writer, reply.answer))
  writer.setShort(8, writeSets(writer, reply.authority))
  const end = writer.at()
  writer.setShort(10, writeSets(writer, reply.additional))
  // RFC 9471: a referral is of no use without its glue.
  return { bytes: writer.copy(), needed: reply.isReferral ? writer.at() : end }
}

/** Returns how many records there were. */
function writeSets(writer: Writer, sets: Owned[]): number {
  let count = 0
  for (const { name, set } of sets) {
    for (const value of set.values) {
      writer.name(name, true)
      writer.short(set.type)
      writer.short(internet)
      writer.long(set.ttl)
      writer.sized(() => writeRdata(writer, set.type, value))
      count += 1
    }
  }
  return count
}

/** The answer for the client of `packet`, no longer than `maxBytes`: what doesn't fit is replaced by the TC bit. */
export function answerWith(
  packet: Buffer,
  question: Question,
  encoded: Encoded | undefined,
  maxBytes: number,
): Buffer {
  const room = maxBytes - (question.edns ? optBytes : 0)
  if (!encoded || encoded.needed > room) {
    const flags = isTruncated | ((encoded?.bytes[2] ?? isAuthoritative) & isAuthoritative)
    return answerEmpty(packet, question, rcodes.noError, flags)
  }
  const isWhole = encoded.bytes.length <= room
  const length = isWhole ? encoded.bytes.length : encoded.needed
  const answer = Buffer.allocUnsafe(length + (question.edns ? optBytes : 0))
  encoded.bytes.copy(answer, 0, 0, length)
  if (!isWhole) answer.writeUInt16BE(0, 10)
  answer[0] = packet[0] ?? 0
  answer[1] = packet[1] ?? 0
  answer[2] = (answer[2] ?? 0) | ((packet[2] ?? 0) & recursionDesired)
  // The name with the very letters that were asked for: resolvers take that for a proof that it is ours.
  packet.copy(answer, headerBytes, headerBytes, question.end)
  if (question.edns) writeOpt(answer, length, question.edns.dnssecOk, 0)
  return answer
}

/** An answer without records. */
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
