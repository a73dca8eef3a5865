/** Parses records to canonical form, or reports their problems. */
import { AppError, type Issue } from '../../lib/errors.ts'
import { uint16 } from './fields.ts'
import type { RecordInput } from './record-input.ts'
import { readRecordName } from './record-names.ts'
import { type NumberField, numberFields, type RecordData, type TypeRule } from './types/rule.ts'
import { rules } from './types/rules.ts'

/** The record for the zone whose apex is `zone`, or all its problems. */
export function parseRecord(input: RecordInput, zone: string): RecordData | { issues: Issue[] } {
  const rule = rules[input.type]
  const fqdn = readRecordName(input.name, zone)
  const value = rule.readValue(input.value)
  const issues = numberFields.flatMap((field) => numberIssue(rule, input, field) ?? [])
  if (typeof fqdn !== 'string') issues.unshift({ path: 'name', message: fqdn.problem })
  if (typeof value !== 'string') issues.push({ path: 'value', message: value.problem })
  if (typeof fqdn !== 'string' || typeof value !== 'string' || issues.length > 0) return { issues }
  const strings = stringsOf(rule, input, value)
  if (strings && 'problem' in strings) return { issues: [{ path: 'strings', message: strings.problem }] }
  const { type, priority = null, weight = null, port = null } = input
  const record = { fqdn, type, value, strings, priority, weight, port }
  const issue = rule.check?.(record, zone)
  return issue === undefined ? record : { issues: [issue] }
}

/** The record without problems. @throws AppError `invalid_input` naming the fields. */
export function orThrow(parsed: RecordData | { issues: Issue[] }): RecordData {
  if (!('issues' in parsed)) return parsed
  const [first] = parsed.issues
  throw new AppError('invalid_input', `${first?.path}: ${first?.message}`, { issues: parsed.issues })
}

function stringsOf({ readStrings }: TypeRule, { type, strings }: RecordInput, value: string) {
  if (!strings) return null
  return readStrings ? readStrings(strings, value) : { problem: `is not a field of ${type}: omit it` }
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
