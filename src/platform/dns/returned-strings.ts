/** The strings of records in responses. */
import type { RecordData } from './types/rule.ts'
import { rules } from './types/rules.ts'

/**
 * The record's strings as clients see them: also the usual ones of a text that is itself in quotes, so that
 * the response can be sent as it is.
 */
export function returnedStrings({ type, value, strings }: Pick<RecordData, 'type' | 'value' | 'strings'>) {
  return strings ?? rules[type].returnedStrings?.(value) ?? null
}
