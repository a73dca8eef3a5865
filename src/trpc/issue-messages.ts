/** What is said of an input that doesn't fit its schema, where the schema says nothing of its own: what to send instead. */
import type { z } from 'zod'

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

/** How the size of each is counted; of a number there is only its value. */
const units: Record<string, [one: string, several: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  record: ['key', 'keys'],
}

/** What ends a sentence that begins with the name of the field, such as `must be a string, not null`; of all of it, a sentence. */
export function inputWords(issue: z.core.$ZodRawIssue): string | undefined {
  const words = wordsFor(issue)
  return words === undefined || issue.path?.length ? words : `The input ${words}.`
}

function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined) {
    return 'is needed'
  }
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}, not ${nameOf(issue.input)}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_big':
      return mustBe(issue, issue.inclusive ? 'at most' : 'less than', issue.maximum)
    case 'too_small':
      return mustBe(issue, issue.inclusive ? 'at least' : 'more than', issue.minimum)
    default:
      return undefined
  }
}

type Limit = { origin: string; exact?: boolean }

function mustBe({ origin, exact }: Limit, bound: string, limit: number | bigint): string {
  const unit = units[origin]
  const count = `${exact ? 'exactly' : bound} ${limit}`
  return unit ? `must have ${count} ${unit[Number(limit) === 1 ? 0 : 1]}` : `must be ${count}`
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number' && !Number.isInteger(value)) return String(value)
  return types[typeof value] ?? typeof value
}
