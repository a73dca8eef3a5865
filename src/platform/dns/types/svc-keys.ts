/** The keys of SVCB and HTTPS records, and how their values are written (RFC 9460, sections 7 and 14.3). */
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Problem } from '../record-names.ts'
import { ipv6Bytes } from './ipv6-bytes.ts'

/** How the value of a key is written. */
export type KeyRule = {
  name: string
  /** The value, for people. */
  takes: string
  example: string
  /** Encodes a value without the escapes of master files; undefined if it isn't one. */
  read(value: Buffer): Buffer | undefined
  /** The bytes of each item of an encoded value; without it any. */
  unitBytes?: number
  /** The text of an encoded value; without it the bytes themselves. */
  format?(data: Buffer): Buffer
}

const none: Pick<KeyRule, 'takes' | 'read'> = {
  takes: 'no value',
  read: (value) => (value.length === 0 ? value : undefined),
}

const rules: KeyRule[] = [
  {
    name: 'mandatory',
    takes: 'other keys, each once',
    example: 'mandatory=alpn,port',
    read: readMandatory,
    unitBytes: 2,
    format: (data) => Buffer.from(shortsOf(data).map(keyText).join(',')),
  },
  {
    name: 'alpn',
    takes: 'names of protocols of 1 to 255 bytes',
    example: 'alpn=h2,h3',
    read: readProtocols,
    format: formatProtocols,
  },
  { name: 'no-default-alpn', example: 'no-default-alpn', ...none },
  {
    name: 'port',
    takes: 'a number from 0 to 65535',
    example: 'port=8443',
    read: readPort,
    unitBytes: 2,
    format: (data) => Buffer.from(shortsOf(data).join(',')),
  },
  {
    name: 'ipv4hint',
    takes: 'IPv4 addresses',
    example: 'ipv4hint=192.0.2.1,192.0.2.2',
    read: (value) => readAddresses(value, isIPv4),
    unitBytes: 4,
    format: (data) => formatAddresses(data, 4),
  },
  {
    name: 'ech',
    takes: 'a configuration in Base64',
    example: 'ech=AEX+DQBB...',
    read: readBase64,
    format: (data) => Buffer.from(data.toString('base64')),
  },
  {
    name: 'ipv6hint',
    takes: 'IPv6 addresses',
    example: 'ipv6hint=2001:db8::1',
    read: (value) => readAddresses(value, (text) => isIPv6(text) && !text.includes('%')),
    unitBytes: 16,
    format: (data) => formatAddresses(data, 16),
  },
]

/** By number. */
export const keyRules = new Map(rules.entries())

/** Names of keys that other programs don't know yet, and that are therefore written by their numbers. */
const laterNames = new Map([
  // RFC 9461, section 5.
  ['dohpath', 7],
  // RFC 9540, section 4.
  ['ohttp', 8],
])

/** Section 14.3.1: 65535 is reserved as invalid. */
const maxKey = 65_534

/** The number of a key by its name or as `key667`. */
export function keyNumber(text: string): number | Problem {
  const word = text.toLowerCase()
  const known = rules.findIndex(({ name }) => name === word)
  if (known !== -1) return known
  const later = laterNames.get(word)
  if (later !== undefined) return later
  const [, digits] = /^key(0|[1-9]\d{0,4})$/.exec(word) ?? []
  const number = Number(digits ?? Number.NaN)
  const name = keyRules.get(number)?.name
  if (name !== undefined) return { problem: `must have ${name} instead of ${word}` }
  if (number <= maxKey) return number
  const names = rules.map((rule) => rule.name).join(', ')
  return { problem: `must have parameters of these keys: ${names}, or key${keyRules.size} to key${maxKey}` }
}

/** The name of a key, or `key667`. */
export function keyText(key: number): string {
  return keyRules.get(key)?.name ?? `key${key}`
}

/** Section 8: in ascending order, and without itself. */
function readMandatory(value: Buffer): Buffer | undefined {
  const keys = value.toString('latin1').split(',').map(keyNumber)
  const numbers = keys.filter((key) => typeof key === 'number').toSorted((a, b) => a - b)
  const isValid = numbers.length === keys.length && new Set(numbers).size === keys.length && numbers[0] !== 0
  return isValid ? shorts(numbers) : undefined
}

const comma = 0x2c
const backslash = 0x5c

/** Appendix A.1: a list in which a backslash escapes commas and itself. */
function readProtocols(value: Buffer): Buffer | undefined {
  const names: number[][] = [[]]
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === comma) {
      names.push([])
      continue
    }
    if (value[at] === backslash) at += 1
    const byte = value[at]
    if (byte === undefined) return undefined
    names.at(-1)?.push(byte)
  }
  if (names.some(({ length }) => length === 0 || length > 255)) return undefined
  return Buffer.from(names.flatMap((name) => [name.length, ...name]))
}

function formatProtocols(data: Buffer): Buffer {
  const names: string[] = []
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0)) {
    const name = data.toString('latin1', at + 1, at + 1 + (data[at] ?? 0))
    names.push(name.replaceAll(/[,\\]/g, '\\$&'))
  }
  return Buffer.from(names.join(','), 'latin1')
}

function readPort(value: Buffer): Buffer | undefined {
  const text = value.toString('latin1')
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? shorts([Number(text)]) : undefined
}

function readAddresses(value: Buffer, isValid: (text: string) => boolean): Buffer | undefined {
  const texts = value.toString('latin1').split(',')
  if (!texts.every(isValid)) return undefined
  const bytes = texts.map((text) => (isIPv4(text) ? text.split('.').map(Number) : [...ipv6Bytes(text)]))
  return Buffer.from(bytes.flat())
}

function formatAddresses(data: Buffer, bytes: number): Buffer {
  const texts: string[] = []
  for (let at = 0; at < data.length; at += bytes) {
    texts.push(ipaddr.fromByteArray([...data.subarray(at, at + bytes)]).toString())
  }
  return Buffer.from(texts.join(','))
}

function readBase64(value: Buffer): Buffer | undefined {
  const text = value.toString('latin1')
  const data = Buffer.from(text, 'base64')
  return data.length > 0 && data.toString('base64') === text ? data : undefined
}

function shorts(numbers: number[]): Buffer {
  const data = Buffer.alloc(2 * numbers.length)
  for (const [index, number] of numbers.entries()) data.writeUInt16BE(number, 2 * index)
  return data
}

function shortsOf(data: Buffer): number[] {
  return Array.from({ length: data.length / 2 }, (_, index) => data.readUInt16BE(2 * index))
}
