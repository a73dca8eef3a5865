/** Records that mean nothing without another one at their name. */
import type { RecordData } from './types/rule.ts'
import { rules } from './types/rules.ts'

/** `record` lacks one of another type at its name. The message is a sentence. */
export type Unmet<T> = { record: T; message: string }

/** The records that lack another one; `records` are all at their names. */
export function findUnmet<T extends RecordData>(records: T[]): Unmet<T>[] {
  const present = new Set(records.map(({ fqdn, type }) => `${fqdn} ${type}`))
  return records.flatMap((record) => {
    const { fqdn, type } = record
    const { needs } = rules[type]
    if (needs === undefined || present.has(`${fqdn} ${needs}`)) return []
    return [{ record, message: `${fqdn} has no ${needs} records, without which ${type} means nothing.` }]
  })
}
