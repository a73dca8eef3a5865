/** What is typed for a record, and the inputs of calls made of it. */
import type { Outputs } from '@/lib/api'

export type DnsRecord = Outputs['dns']['get']
export type RecordType = DnsRecord['type']

export const recordTypes: RecordType[] = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']

type NumberField = 'priority' | 'weight' | 'port'

/** The numbers that a type has beside its value. */
export function numbersOf(type: RecordType): NumberField[] {
  if (type === 'MX') return ['priority']
  return type === 'SRV' ? ['priority', 'weight', 'port'] : []
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
  const numbers = numbersOf(input.type)
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

/** How a value of the type looks. */
export const examples: Record<RecordType, string> = {
  A: '203.0.113.7',
  AAAA: '2001:db8::7',
  ALIAS: 'shops.example.net',
  CAA: '0 issue "letsencrypt.org"',
  CNAME: 'www.example.net',
  MX: 'mail.example.com',
  NS: 'ns1.example.net',
  SRV: 'server.example.com',
  TXT: 'v=spf1 mx -all',
}

/** The value with the numbers before it, as in a zone file. */
export function shownValue({
  value,
  priority,
  weight,
  port,
}: Pick<DnsRecord, 'value' | NumberField>): string {
  return [priority, weight, port, value].filter((part) => part !== null).join(' ')
}
