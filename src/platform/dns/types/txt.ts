/** TXT: any text (RFC 1035, section 3.3.14), in strings of at most 255 bytes. */
import { isUtf8 } from 'node:buffer'
import { bytesOf, quote } from '../master-text.ts'
import type { Problem } from '../record-names.ts'
import { quotedTexts, typographicQuotes } from './quoted-texts.ts'
import type { DataWriter, Rdata, RecordValue, TypeRule } from './rule.ts'

/** Fits in a message of 65,535 bytes with a length byte per string, the question and the rest. */
const maxBytes = 64_000

/** The longest character string (RFC 1035, section 3.3). */
const maxStringBytes = 255

/** As many as the strings of a request. */
const maxStrings = 1_000

/** With the lengths of the strings: as many as those of the longest text. */
const maxDataBytes = maxBytes + Math.ceil(maxBytes / maxStringBytes)

export const txt: TypeRule = {
  numbers: [],
  readValue(text) {
    if (Buffer.byteLength(text) > maxBytes) return { problem: `must be at most ${maxBytes} bytes of UTF-8` }
    if (text.includes('\0')) return { problem: 'must not contain U+0000' }
    return text
  },
  readQuoted,
  readStrings(strings, value) {
    if (strings.length === 0 || strings.join('') !== value) {
      const hint = isReadAsQuoted(value) ? ': beside them, its quotes are part of the text' : ''
      return { problem: `must make up the value when they are joined${hint}` }
    }
    if (strings.length > maxStrings) return { problem: `must be at most ${maxStrings}` }
    if (strings.some((each) => Buffer.byteLength(each) > maxStringBytes)) {
      return { problem: `must be at most ${maxStringBytes} bytes of UTF-8 each` }
    }
    if (Buffer.byteLength(value) + strings.length > maxDataBytes) {
      return { problem: `must be at most ${maxDataBytes} bytes, with one for the length of each` }
    }
    const bytes = Buffer.from(value)
    const given = strings.map((each) => Buffer.from(each))
    const isReturned = isReadAsQuoted(value) && isSame(wholeCharacters(bytes), given)
    return isReturned || isSame(usualStrings(bytes), given) ? null : strings
  },
  returnedStrings(value) {
    return isReadAsQuoted(value) ? wholeCharacters(Buffer.from(value)).map(String) : null
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
    read(reader) {
      const strings = [reader.string()]
      while (reader.left() > 0) strings.push(reader.string())
      return joined(strings)
    },
    leastBytes: 1,
    addsValue: true,
    write: (writer, record) => writeStrings(writer, stringsOf(record)),
  },
}

function readQuoted(value: string): Rdata | Problem | undefined {
  const quotes = typographicQuotes(value)
  if (quotes !== undefined) {
    return {
      problem:
        `must not be in typographic quotes (${quotes}), which would be part of the text: ` +
        'write it without quotes, or in straight ones: "v=spf1 mx -all"',
    }
  }
  const texts = quotedTexts(value)
  if (!texts) return undefined
  if (texts.length > maxStrings) return { problem: `must be at most ${maxStrings} texts in quotes` }
  const read = textOf(texts)
  if (typeof read !== 'string') return read
  return { problem: `${read} in its quotes, where a backslash escapes what follows: \\" or \\065` }
}

/** Whether a request that has the text as its value means something else by it. */
function isReadAsQuoted(value: string): boolean {
  return typographicQuotes(value) !== undefined || quotedTexts(value) !== undefined
}

function textOf(texts: string[]): Rdata | string {
  const parts = texts.map(bytesOf)
  const known = parts.filter((part) => part !== undefined)
  return known.length < parts.length ? 'has an invalid escape' : joined(known)
}

function joined(parts: Buffer[]): Rdata | string {
  const bytes = Buffer.concat(parts)
  if (!isUtf8(bytes)) return 'is not UTF-8'
  const value = bytes.toString()
  if (parts.length === 1 || isSame(usualStrings(bytes), parts)) return { value }
  if (parts.every((part) => part.length <= maxStringBytes && isUtf8(part))) {
    return { value, strings: parts.map((part) => part.toString()) }
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

/** As few strings as end with a whole character each. */
function wholeCharacters(bytes: Buffer): Buffer[] {
  const strings: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + maxStringBytes, bytes.length)
    while (((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1
    strings.push(bytes.subarray(from, to))
    from = to
  }
  return strings
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
