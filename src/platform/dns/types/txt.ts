/** TXT: any text (RFC 1035, section 3.3.14), in strings of at most 255 bytes. */
import { isUtf8 } from 'node:buffer'
import { bytesOf, quote } from '../master-text.ts'
import type { DataWriter, Rdata, RecordValue, TypeRule } from './rule.ts'

/** Fits in a message of 65,535 bytes with a length byte per string, the question and the rest. */
const maxBytes = 64_000

/** The longest character string (RFC 1035, section 3.3). */
const maxStringBytes = 255

/** With the lengths of the strings: as many as those of the longest text. */
const maxDataBytes = maxBytes + Math.ceil(maxBytes / maxStringBytes)

export const txt: TypeRule = {
  numbers: [],
  readValue(text) {
    if (Buffer.byteLength(text) > maxBytes) return { problem: `must be at most ${maxBytes} bytes of UTF-8` }
    return text
  },
  readStrings(strings, value) {
    if (strings.length === 0 || strings.join('') !== value) {
      return { problem: 'must make up the value when they are joined' }
    }
    if (strings.some((each) => Buffer.byteLength(each) > maxStringBytes)) {
      return { problem: `must be at most ${maxStringBytes} bytes of UTF-8 each` }
    }
    if (Buffer.byteLength(value) + strings.length > maxDataBytes) {
      return { problem: `must be at most ${maxDataBytes} bytes, with one for the length of each` }
    }
    const usual = usualStrings(Buffer.from(value))
    return isSame(
      usual,
      strings.map((each) => Buffer.from(each)),
    )
      ? null
      : strings
  },
  dataBytes({ value, strings }) {
    const bytes = Buffer.byteLength(value)
    return bytes + (strings?.length ?? Math.max(1, Math.ceil(bytes / maxStringBytes)))
  },
  text: {
    takes: ['one or more texts'],
    repeats: true,
    read: textOf,
    write: (record) => stringsOf(record).map(quote).join(' '),
  },
  wire: {
    leastBytes: 1,
    addsValue: true,
    write: (writer, record) => writeStrings(writer, stringsOf(record)),
  },
}

function textOf(texts: string[]): Rdata | string {
  const parts = texts.map(bytesOf)
  const known = parts.filter((part) => part !== undefined)
  if (known.length < parts.length) return 'has an invalid escape'
  const bytes = Buffer.concat(known)
  if (!isUtf8(bytes)) return 'is not UTF-8'
  const value = bytes.toString()
  if (known.length === 1 || isSame(usualStrings(bytes), known)) return { value }
  if (known.every((part) => part.length <= maxStringBytes && isUtf8(part))) {
    return { value, strings: known.map((part) => part.toString()) }
  }
  const reason = `one has more than ${maxStringBytes} bytes or ends within a character`
  return { value, note: `its strings are joined, as ${reason}` }
}

function stringsOf({ value, strings }: Pick<RecordValue, 'value' | 'strings'>): Uint8Array[] {
  return strings?.map((each) => Buffer.from(each)) ?? usualStrings(Buffer.from(value))
}

/** Strings of 255 bytes and the rest; an empty one for no text. */
function usualStrings(bytes: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / maxStringBytes))
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * maxStringBytes, (index + 1) * maxStringBytes),
  )
}

function isSame(some: Buffer[], others: Buffer[]): boolean {
  return some.length === others.length && some.every((each, index) => others[index]?.equals(each))
}

/** Encodes character strings. */
export function writeStrings(writer: DataWriter, strings: Uint8Array[]): void {
  for (const string of strings) {
    writer.byte(string.length)
    writer.bytes(string)
    writer.check()
  }
}
