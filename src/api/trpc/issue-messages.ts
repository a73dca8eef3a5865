/** Default messages for Zod issues. */
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

/** The units of sizes; numbers have none. */
const units: Record<string, [one: string, several: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  record: ['key', 'keys'],
}

/**
 * A predicate to follow the field's name, such as `must be a string, not null`; for the whole input, a
 * sentence.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const message = messageFor(issue)
  if (message === undefined || issue.path?.length) return message
  return message === 'required' ? 'The input is required.' : `The input ${message}.`
}

function messageFor(issue: z.core.$ZodRawIssue): string | undefined {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined) {
    return 'required'
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
