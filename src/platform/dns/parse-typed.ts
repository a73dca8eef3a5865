/** Parses a record as people type it, who copy texts in the quotes of zone files. */
import type { Issue } from '../../lib/errors.ts'
import { parseRecord } from './parse-record.ts'
import type { RecordInput } from './record-input.ts'
import type { RecordData } from './types/rule.ts'
import { rules } from './types/rules.ts'

/**
 * Like `parseRecord`, but a value that is nothing but texts in quotes is read as zone files write it. Beside
 * `strings` it is the text itself.
 */
export function parseTyped(input: RecordInput, zone: string): RecordData | { issues: Issue[] } {
  const quoted = input.strings ? undefined : rules[input.type].readQuoted?.(input.value)
  if (quoted === undefined) return parseRecord(input, zone)
  if (!('problem' in quoted)) return parseRecord({ ...input, ...quoted }, zone)
  const parsed = parseRecord(input, zone)
  const others = 'issues' in parsed ? parsed.issues : []
  return { issues: [...others, { path: 'value', message: quoted.problem }] }
}
