/** Parses questions, by hand: every packet goes through here. */
import { internet, rcodes, types } from './codes.ts'

export type Question = {
  /** Name and type in wire form, lower-cased: the same for the same question. */
  key: string
  type: number
  /** Where the question ends in the packet; 12 if there is none to repeat. */
  end: number
  /** Present if the client supports EDNS (RFC 6891): its UDP payload size, and its DO bit. */
  edns: { bytes: number; dnssecOk: boolean } | undefined
  /** The rcode with which the packet is answered at once. */
  problem: number | undefined
}

export const headerBytes = 12
const maxNameBytes = 255

/** Lower-cased name and type of the current packet. */
const folded = Buffer.alloc(maxNameBytes + 2)

/** The question of a packet; undefined for what gets no response: a response, or less than a header. */
export function readQuestion(packet: Buffer): Question | undefined {
  if (packet.length < headerBytes || (byte(packet, 2) & 0x80) !== 0) return undefined
  const question: Question = { key: '', type: 0, end: headerBytes, edns: undefined, problem: undefined }
  question.problem = readInto(question, packet)
  return question
}

function readInto(question: Question, packet: Buffer): number | undefined {
  if ((byte(packet, 2) & 0x78) !== 0) return rcodes.notImp
  // RFC 9619: a query has one question.
  if (short(packet, 4) !== 1) return rcodes.formErr
  const nameEnd = foldName(packet)
  if (nameEnd === undefined || nameEnd + 4 > packet.length) return rcodes.formErr
  folded[nameEnd - headerBytes] = byte(packet, nameEnd)
  folded[nameEnd - headerBytes + 1] = byte(packet, nameEnd + 1)
  question.key = folded.toString('latin1', 0, nameEnd - headerBytes + 2)
  question.type = short(packet, nameEnd)
  question.end = nameEnd + 4
  const recordsProblem = readRecords(question, packet)
  if (recordsProblem !== undefined) return recordsProblem
  const isTransfer = question.type === types.AXFR || question.type === types.IXFR
  if (short(packet, nameEnd + 2) !== internet || isTransfer) return rcodes.refused
  return question.type === types.OPT ? rcodes.formErr : undefined
}

/**
 * Copies the name in lower case; returns its end, or undefined if it is invalid. Nothing comes before to
 * point to.
 */
function foldName(packet: Buffer): number | undefined {
  let at = headerBytes
  for (;;) {
    const length = byte(packet, at)
    const end = at + 1 + length
    // The root's byte is the 255th at most; a packet that ends early is followed by zeros.
    if (length > 63 || end - headerBytes > maxNameBytes || end > packet.length) return undefined
    folded[at - headerBytes] = length
    for (at += 1; at < end; at += 1) {
      const each = byte(packet, at)
      folded[at - headerBytes] = each >= 0x41 && each <= 0x5a ? each + 0x20 : each
    }
    if (length === 0) return at
  }
}

/** The sections after the question: only the OPT record matters. */
function readRecords(question: Question, packet: Buffer): number | undefined {
  const before = short(packet, 6) + short(packet, 8)
  const count = before + short(packet, 10)
  let at = question.end
  let version = 0
  for (let index = 0; index < count; index += 1) {
    const fixed = skipName(packet, at)
    if (fixed === undefined || fixed + 10 > packet.length) return rcodes.formErr
    const end = fixed + 10 + short(packet, fixed + 8)
    if (end > packet.length) return rcodes.formErr
    if (short(packet, fixed) === types.OPT) {
      // RFC 6891, section 6.1.1: one, with the root's name, in the additional section.
      if (question.edns || fixed !== at + 1 || index < before) return rcodes.formErr
      question.edns = {
        bytes: short(packet, fixed + 2),
        dnssecOk: (byte(packet, fixed + 6) & 0x80) !== 0,
      }
      version = byte(packet, fixed + 5)
    }
    at = end
  }
  if (at !== packet.length) return rcodes.formErr
  return version > 0 ? rcodes.badVers : undefined
}

function skipName(packet: Buffer, start: number): number | undefined {
  for (let at = start; at < packet.length; ) {
    const length = byte(packet, at)
    if (length >= 0xc0) return at + 2
    if (length > 63) return undefined
    at += 1 + length
    if (length === 0) return at
  }
  return undefined
}

/** The name of a key as text. A dot inside a label becomes a character that no served name contains. */
export function nameOf(key: string): string {
  let name = ''
  for (let at = 0; ; ) {
    const length = key.charCodeAt(at)
    if (length === 0) return name
    const label = key.slice(at + 1, at + 1 + length)
    if (name !== '') name += '.'
    name += label.includes('.') ? label.replaceAll('.', '\u012e') : label
    at += 1 + length
  }
}

function byte(packet: Buffer, at: number): number {
  return packet[at] ?? 0
}

function short(packet: Buffer, at: number): number {
  return (byte(packet, at) << 8) | byte(packet, at + 1)
}
