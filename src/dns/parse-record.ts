/** Parses a record of a request to canonical form, or reports its problems. */
import { AppError, type Issue } from '../errors.ts'
import { readRecordName } from './names.ts'
import { a, aaaa } from './types/addresses.ts'
import { caa } from './types/caa.ts'
import { mx } from './types/mx.ts'
import { alias, cname, ns } from './types/pointers.ts'
import {
  type NumberField,
  numberFields,
  type RecordData,
  type RecordType,
  type TypeRule,
  uint16,
} from './types/rule.ts'
import { srv } from './types/srv.ts'
import { txt } from './types/txt.ts'

const rules: Record<RecordType, TypeRule> = {
  A: a,
  AAAA: aaaa,
  ALIAS: alias,
  CAA: caa,
  CNAME: cname,
  MX: mx,
  NS: ns,
  SRV: srv,
  TXT: txt,
}

/** `name` is relative to the zone, or absolute with a trailing dot; a number that the type doesn't have may be null. */
export type RecordInput = { name: string; type: RecordType; value: string } & Partial<
  Record<NumberField, number | null | undefined>
>

/** The record for the zone whose apex is `zone`, or all its problems. */
export function parseRecord(input: RecordInput, zone: string): RecordData | { issues: Issue[] } {
  const rule = rules[input.type]
  const fqdn = readRecordName(input.name, zone)
  const value = rule.readValue(input.value)
  const issues = numberFields.flatMap((field) => numberIssue(rule, input, field) ?? [])
  if (typeof fqdn !== 'string') issues.unshift({ path: 'name', message: fqdn.problem })
  if (typeof value !== 'string') issues.push({ path: 'value', message: value.problem })
  if (typeof fqdn !== 'string' || typeof value !== 'string' || issues.length > 0) return { issues }
  const { type, priority = null, weight = null, port = null } = input
  const record = { fqdn, type, value, priority, weight, port }
  const issue = rule.check?.(record, zone)
  return issue === undefined ? record : { issues: [issue] }
}

/** @throws AppError `invalid_input` naming the fields. */
export function parseRecordOrThrow(input: RecordInput, zone: string): RecordData {
  const parsed = parseRecord(input, zone)
  if (!('issues' in parsed)) return parsed
  const [first] = parsed.issues
  throw new AppError('invalid_input', `${first?.path}: ${first?.message}`, { issues: parsed.issues })
}

function numberIssue({ numbers }: TypeRule, input: RecordInput, field: NumberField): Issue | undefined {
  const value = input[field] ?? undefined
  if (!numbers.includes(field)) {
    return value === undefined
      ? undefined
      : { path: field, message: `is not a field of ${input.type}: omit it` }
  }
  if (uint16.safeParse(value).success) return undefined
  return { path: field, message: `must be a number from 0 to 65535 for ${input.type}` }
}
