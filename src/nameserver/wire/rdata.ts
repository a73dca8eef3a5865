/** Encodes the data of records. */
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { RecordValue, RRset } from '../zones/zone.ts'
import { types } from './codes.ts'
import type { Writer } from './writer.ts'

/** The longest character string (RFC 1035, section 3.3). */
const maxStringBytes = 255

/** Encodes the data of one type. */
type Form = (writer: Writer, record: RecordValue) => void

const forms = new Map<number, Form>([
  [types.A, (writer, { value }) => writeAddress(writer, value)],
  [types.AAAA, (writer, { value }) => writer.bytes(Uint8Array.from(ipaddr.IPv6.parse(value).toByteArray()))],
  [types.NS, (writer, { value }) => writer.name(targetOf(value), true)],
  [types.CNAME, (writer, { value }) => writer.name(targetOf(value), true)],
  [types.MX, writeMx],
  [types.SRV, writeSrv],
  [types.TXT, (writer, { value }) => writeStrings(writer, Buffer.from(value))],
  [types.CAA, (writer, { value }) => writeCaa(writer, value)],
  [types.SOA, (writer, { value }) => writeSoa(writer, value)],
  [types.HINFO, (writer, { value }) => writeHinfo(writer, value)],
])

/**
 * Encodes a record's data, without its length.
 * @throws when the stored value doesn't match the type.
 */
export function writeRdata(writer: Writer, type: number, record: RecordValue): void {
  const write = forms.get(type)
  if (!write) throw new RangeError(`Type ${type} has no encoding.`)
  write(writer, record)
}

/** Before the data of each record: a pointer to its name, type, class, TTL and length (RFC 1035, section 4.1.3). */
const headBytes = 12

/** The shortest data of types, names compressed. */
const leastData = new Map<number, number>([
  [types.A, 4],
  [types.AAAA, 16],
  [types.MX, 4],
  [types.SRV, 7],
])
const leastName = 2

/** The minimum size of a set, or more than `enough`. */
export function leastBytes({ type, values }: RRset, enough: number): number {
  const least = values.length * (headBytes + (leastData.get(type) ?? leastName))
  if (type !== types.TXT) return least
  let bytes = least
  for (const { value } of values) {
    bytes += value.length
    if (bytes > enough) break
  }
  return bytes
}

function writeAddress(writer: Writer, value: string): void {
  if (!isIPv4(value)) throw new RangeError('The A record has no address.')
  for (const number of value.split('.')) writer.byte(Number(number))
}

function writeMx(writer: Writer, { value, priority }: RecordValue): void {
  writer.short(priority ?? 0)
  writer.name(targetOf(value), true)
}

function writeSrv(writer: Writer, { value, priority, weight, port }: RecordValue): void {
  for (const number of [priority, weight, port]) writer.short(number ?? 0)
  // RFC 2782: not compressed.
  writer.name(targetOf(value), false)
}

/** `.` is the root: no mail (RFC 7505), no service (RFC 2782). */
function targetOf(value: string): string {
  return value === '.' ? '' : value
}

function writeStrings(writer: Writer, text: Buffer): void {
  let at = 0
  do {
    const string = text.subarray(at, at + maxStringBytes)
    writer.byte(string.length)
    writer.bytes(string)
    writer.check()
    at += maxStringBytes
  } while (at < text.length)
}

/** RFC 8659, section 4.1. */
function writeCaa(writer: Writer, value: string): void {
  const [, flags = '', tag = '', text] = /^(\d{1,3}) ([a-z0-9]{1,255}) "(.*)"$/s.exec(value) ?? []
  if (text === undefined) throw new RangeError('The CAA record has no value.')
  writer.byte(Number(flags))
  writer.byte(tag.length)
  writer.bytes(Buffer.from(tag))
  writer.bytes(Buffer.from(text))
}

function writeSoa(writer: Writer, value: string): void {
  const [mname = '', rname = '', ...numbers] = value.split(' ')
  writer.name(mname, true)
  writer.name(rname, true)
  for (const number of numbers) writer.long(Number(number))
}

/** A CPU without an OS (RFC 8482, section 4.2). */
function writeHinfo(writer: Writer, value: string): void {
  writeStrings(writer, Buffer.from(value))
  writeStrings(writer, Buffer.alloc(0))
}
