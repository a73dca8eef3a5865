/** Check results for responses: few, short and printable. */
import type { RecordValue } from '../../../stores/db/schema/domains.ts'
import { type DnsAnswer, type LookUp, valuesOf } from './look-up.ts'

/** Per question, and per value. */
const maxValues = 10
const maxCharacters = 300

/**
 * The answers in a stable order, since resolvers rotate theirs. Unknown ones keep their value in `before`.
 */
export function seenRecords(
  { proof, proofAlias, alias, addresses }: LookUp,
  before: RecordValue[],
): RecordValue[] {
  return [proofAlias, proof, alias, ...addresses].flatMap((answer) =>
    'failure' in answer
      ? before.filter(({ type, name }) => type === answer.type && name === answer.name)
      : seenValues(answer).map((value) => ({ type: answer.type, name: answer.name, value })),
  )
}

function seenValues(answer: DnsAnswer): string[] {
  const values = [...new Set(valuesOf(answer).map(escapeValue))].sort()
  const isProof = (value: string) => value.includes(proofMark)
  // The relevant values must not be cut off.
  return [...values.filter(isProof), ...values.filter((value) => !isProof(value))].slice(0, maxValues)
}

/** The prefix of proofs. */
export const proofMark = 'svc-verify='

/** With `\DDD` for what isn't printable ASCII (RFC 1035, section 5.1). */
export function escapeValue(value: string): string {
  const escaped = value.replace(/[^\x20-\x7e]/g, (character) => {
    const code = Math.min(character.charCodeAt(0), 255)
    return `\\${String(code).padStart(3, '0')}`
  })
  return escaped.length > maxCharacters ? `${escaped.slice(0, maxCharacters)}…` : escaped
}
