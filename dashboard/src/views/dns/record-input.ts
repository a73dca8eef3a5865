/** The fields that are typed for a record, and the inputs of calls made of them. */
import type { Outputs } from '@/lib/api'

export type DnsRecord = Outputs['dns']['get']
export type RecordType = DnsRecord['type']

type NumberField = 'priority' | 'weight' | 'port'

/** How a value of each type looks, and the numbers that the type has beside it. */
export const types: Record<RecordType, { example: string; numbers: NumberField[] }> = {
  A: { example: '203.0.113.7', numbers: [] },
  AAAA: { example: '2001:db8::7', numbers: [] },
  ALIAS: { example: 'shops.example.net', numbers: [] },
  CAA: { example: '0 issue "letsencrypt.org"', numbers: [] },
  CNAME: { example: 'www.example.net', numbers: [] },
  DS: { example: '60485 13 2 d4b7d520e7bb5f0f…', numbers: [] },
  HTTPS: { example: '. alpn=h2,h3', numbers: ['priority'] },
  LOC: { example: '52 22 23 N 4 53 32 E -2m', numbers: [] },
  MX: { example: 'mail.example.com', numbers: ['priority'] },
  NAPTR: { example: '100 10 "S" "SIP+D2U" "" _sip._udp.example.com', numbers: [] },
  NS: { example: 'ns1.example.net', numbers: [] },
  PTR: { example: 'host.example.net', numbers: [] },
  SRV: { example: 'server.example.com', numbers: ['priority', 'weight', 'port'] },
  SSHFP: { example: '4 2 123456789abcdef6…', numbers: [] },
  SVCB: { example: 'dns.example.com alpn=dot', numbers: ['priority'] },
  TLSA: { example: '3 1 1 0d6fce3d0ee1c04a…', numbers: [] },
  TXT: { example: 'v=spf1 mx -all', numbers: [] },
}

export const recordTypes = Object.keys(types).filter(isRecordType)

function isRecordType(text: string): text is RecordType {
  return Object.hasOwn(types, text)
}

export type RecordInput = Record<'name' | 'value' | 'ttl' | 'comment' | NumberField, string> & {
  type: RecordType
}

export const emptyRecord: RecordInput = {
  name: '',
  type: 'A',
  value: '',
  ttl: '',
  priority: '',
  weight: '',
  port: '',
  comment: '',
}

/** The input for an existing record. */
export function inputOf(record: DnsRecord): RecordInput {
  const text = (number: number | null) => (number === null ? '' : String(number))
  return {
    name: record.name,
    type: record.type,
    value: record.value,
    ttl: text(record.ttl),
    priority: text(record.priority),
    weight: text(record.weight),
    port: text(record.port),
    comment: record.comment ?? '',
  }
}

/** The fields of `dns.create` and `dns.put`: empty ones are null. */
export function fieldsOf(input: RecordInput) {
  const { numbers } = types[input.type]
  const numberOf = (field: NumberField) => (numbers.includes(field) ? readNumber(input[field]) : null)
  return {
    name: input.name.trim(),
    type: input.type,
    value: input.type === 'TXT' ? input.value : input.value.trim(),
    ttl: readNumber(input.ttl),
    priority: numberOf('priority'),
    weight: numberOf('weight'),
    port: numberOf('port'),
    comment: input.comment.trim() === '' ? null : input.comment.trim(),
  }
}

function readNumber(text: string): number | null {
  return text === '' ? null : Number(text)
}

/** The value with the numbers before it, as in a zone file; strings, and no text, in quotes. */
export function shownValue({
  value,
  strings,
  priority,
  weight,
  port,
}: Pick<DnsRecord, 'value' | 'strings' | NumberField>): string {
  const text = strings?.map((each) => JSON.stringify(each)).join(' ') ?? (value === '' ? '""' : value)
  return [priority, weight, port, text].filter((part) => part !== null).join(' ')
}
