/** Formats a zone as a master file (RFC 1035, section 5). */
import { reverseName } from '../../names/domain-name.ts'
import { apexTtl, type Soa } from '../../zones/soa.ts'
import { relativeName } from '../names.ts'
import type { RecordData } from '../types/rule.ts'
import { quote } from './text.ts'

/** A record of a zone; `ttl` in seconds. */
export type WrittenRecord = RecordData & { ttl: number; comment: string | null; managed: boolean }

type Zone = { apex: string; soa: Soa; nameservers: string[]; records: WrittenRecord[] }

/** Marks managed records, which an import skips. */
export const managedMark = 'managed'

/**
 * The zone's text, in the order of names. Master files can't express ALIAS: it is a comment, which other programs ignore and
 * `parseZone` reads.
 */
export function* formatZone({ apex, soa, nameservers, records }: Zone): Generator<void, string> {
  const { mname, rname, serial, refresh, retry, expire, minimum } = soa
  const times = [serial, refresh, retry, expire, minimum].join(' ')
  const lines = [
    `$ORIGIN ${apex}.`,
    '$TTL 300',
    `@\t${apexTtl}\tIN\tSOA\t${absolute(mname)} ${absolute(rname)} ${times}`,
    ...nameservers.map((name) => `@\t${apexTtl}\tIN\tNS\t${absolute(name)}`),
  ]
  for (const record of inOrder(records)) {
    lines.push(lineOf(record, apex))
    yield
  }
  return `${lines.join('\n')}\n`
}

function lineOf(record: WrittenRecord, apex: string): string {
  const { fqdn, type, ttl } = record
  const name = relativeName(fqdn, apex)
  const line =
    type === 'ALIAS'
      ? `; ALIAS ${name} ${ttl} ${absolute(record.value)}`
      : `${name}\t${ttl}\tIN\t${type}\t${dataOf(record)}`
  const comment = commentOf(record)
  return comment === '' ? line : `${line} ; ${comment}`
}

function dataOf({ type, value, priority, weight, port }: WrittenRecord): string {
  switch (type) {
    case 'TXT':
      return stringsOf(value).join(' ')
    case 'MX':
      return `${priority} ${absolute(value)}`
    case 'SRV':
      return `${priority} ${weight} ${port} ${absolute(value)}`
    case 'ALIAS':
    case 'CNAME':
    case 'NS':
      return absolute(value)
    default:
      return value
  }
}

/** Strings of at most 255 bytes (RFC 1035, section 3.3.14); an empty one for no text. */
function stringsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const count = Math.max(1, Math.ceil(bytes.length / 255))
  return Array.from({ length: count }, (_, index) => quote(bytes.subarray(index * 255, (index + 1) * 255)))
}

/** On the line of its record, and distinguishable from the mark. */
function commentOf({ comment, managed }: WrittenRecord): string {
  if (managed) return managedMark
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the line, or control a terminal.
  const text = (comment ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return text === managedMark ? '' : text
}

function absolute(name: string): string {
  return name === '.' ? name : `${name}.`
}

function inOrder(records: WrittenRecord[]): WrittenRecord[] {
  const keyed = records.map((record) => {
    const { fqdn, type, priority, value } = record
    const key = [reverseName(fqdn), type, String(priority ?? 0).padStart(5, '0')].join('\0')
    return { record, key, value }
  })
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return keyed.sort((a, b) => compare(a.key, b.key) || compare(a.value, b.value)).map(({ record }) => record)
}
