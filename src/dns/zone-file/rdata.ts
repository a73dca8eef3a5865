/** Parses the data of records in a master file. */
import { isUtf8 } from 'node:buffer'
import type { NumberField, RecordType } from '../types/rule.ts'
import type { Word } from './entries.ts'
import { bytesOf, nameOf, quote } from './text.ts'

/** The fields of a record that depend on its type. Addresses and names aren't validated yet. */
export type Rdata = { value: string } & Partial<Record<NumberField, number>>

/** Parses the tokens after the type. Returns the problem, to follow the type. */
export function readRdata(type: RecordType, words: Word[], origin: string): Rdata | string {
  const count = takes[type].length
  if (type === 'TXT' ? words.length === 0 : words.length !== count) {
    return `takes ${takes[type].join(', ')}, and nothing else`
  }
  const texts = words.map(({ text }) => text)
  const [first = '', second = '', third = '', fourth = ''] = texts
  switch (type) {
    case 'A':
    case 'AAAA':
      return { value: first }
    case 'TXT':
      return textOf(texts)
    case 'CAA': {
      const value = bytesOf(third)
      return value ? { value: `${first} ${second} ${quote(value)}` } : 'has an invalid escape'
    }
    case 'MX':
      return withTarget(second, origin, { priority: first })
    case 'SRV':
      return withTarget(fourth, origin, { priority: first, weight: second, port: third })
    default:
      return withTarget(first, origin, {})
  }
}

const takes: Record<RecordType, string[]> = {
  A: ['an IPv4 address'],
  AAAA: ['an IPv6 address'],
  ALIAS: ['a name'],
  CAA: ['flags', 'a tag', 'a value'],
  CNAME: ['a name'],
  MX: ['a priority', 'a name'],
  NS: ['a name'],
  SRV: ['a priority', 'a weight', 'a port', 'a name'],
  TXT: ['one or more texts'],
}

function textOf(texts: string[]): Rdata | string {
  const parts = texts.map(bytesOf)
  const known = parts.filter((part) => part !== undefined)
  if (known.length < parts.length) return 'has an invalid escape'
  const bytes = Buffer.concat(known)
  if (!isUtf8(bytes)) return 'is not UTF-8'
  return { value: bytes.toString() }
}

function withTarget(word: string, origin: string, numbers: Record<string, string>): Rdata | string {
  const value = nameOf(word, origin)
  if (value === undefined) return 'has a name that needs escapes'
  const wrong = Object.entries(numbers).find(([, digits]) => !/^\d{1,5}$/.test(digits))
  if (wrong) return `needs a whole number as ${wrong[0]}`
  return {
    value,
    ...Object.fromEntries(Object.entries(numbers).map(([key, digits]) => [key, Number(digits)])),
  }
}
