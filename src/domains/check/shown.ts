/** What was seen at a domain, as clients are shown it: whatever it was, it is little, and printable. */
import type { ShownRecord } from '../../db/schema/domains.ts'
import { type DnsAnswer, type LookUp, valuesOf } from './look-up.ts'

/** Of each question, and of each value. */
const maxValues = 10
const maxCharacters = 300

/**
 * The answers in an order that doesn't follow theirs, which resolvers change from one to the next. What is unknown now is
 * shown as it was `before`.
 */
export function shownOf(
  { proof, proofAlias, alias, addresses }: LookUp,
  before: ShownRecord[],
): ShownRecord[] {
  return [proofAlias, proof, alias, ...addresses].flatMap((answer) =>
    'failure' in answer
      ? before.filter(({ type, name }) => type === answer.type && name === answer.name)
      : shownValues(answer).map((value) => ({ type: answer.type, name: answer.name, value })),
  )
}

function shownValues(answer: DnsAnswer): string[] {
  const values = [...new Set(valuesOf(answer).map(printable))].sort()
  const isProof = (value: string) => value.includes(proofMark)
  // What a person looks for must not be hidden by what else is there.
  return [...values.filter(isProof), ...values.filter((value) => !isProof(value))].slice(0, maxValues)
}

/** What each proof begins with. */
export const proofMark = 'svc-verify='

/** With what isn't printable ASCII written as `\DDD` (RFC 1035, section 5.1), which is then no control of a terminal. */
export function printable(value: string): string {
  const escaped = value.replace(/[^\x20-\x7e]/g, (character) => {
    const code = Math.min(character.charCodeAt(0), 255)
    return `\\${String(code).padStart(3, '0')}`
  })
  return escaped.length > maxCharacters ? `${escaped.slice(0, maxCharacters)}…` : escaped
}
