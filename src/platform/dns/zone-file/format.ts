/** Formats a zone as a master file (RFC 1035, section 5). */
import { reverseName } from '../../../lib/names/domain-name.ts'
import { apexTtl, type Soa } from '../../zones/soa.ts'
import { relativeName } from '../record-names.ts'
import type { RecordData } from '../types/rule.ts'
import { rules } from '../types/rules.ts'
import { absolute } from '../types/target.ts'

/** A record of a zone; `ttl` in seconds. */
export type WrittenRecord = RecordData & { ttl: number; comment: string | null; managed: boolean }

type Zone = { apex: string; soa: Soa; nameservers: string[]; records: WrittenRecord[] }

/** Marks managed records, which an import skips. */
export const managedMark = 'managed'

/**
 * The zone's text, in the order of names. Master files can't express ALIAS: it is a comment, which other
 * programs ignore and `parseZone` reads.
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
  const data = rules[type].text.write(record)
  const line = type === 'ALIAS' ? `; ALIAS ${name} ${ttl} ${data}` : `${name}\t${ttl}\tIN\t${type}\t${data}`
  const comment = commentOf(record)
  return comment === '' ? line : `${line} ; ${comment}`
}

/** On the line of its record, and distinguishable from the mark. */
function commentOf({ comment, managed }: WrittenRecord): string {
  if (managed) return managedMark
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the line, or control a terminal.
  const text = (comment ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return text === managedMark ? '' : text
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
