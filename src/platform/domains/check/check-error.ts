/** The problems of a domain: the one list of reasons, each with its remedy. */
import type { DnsAnswer } from './look-up.ts'
import { proofNameOf } from './look-up.ts'
import { escapeValue } from './seen.ts'

export const checkReasons = [
  'resolver_failed',
  'proof_not_found',
  'proof_wrong',
  'proof_is_alias',
  'proof_lost',
  'name_too_long',
  'verified_by_another_team',
  'not_routed',
] as const

export type CheckError = { reason: (typeof checkReasons)[number]; message: string }

type Claim = { domain: string; proof: string }

export function resolverFailed({ type, name, failure }: DnsAnswer & { failure: string }): CheckError {
  return {
    reason: 'resolver_failed',
    message:
      `The resolvers could not tell whether ${name} has a record of type ${type} (${failure}). ` +
      'Nothing changes until they can; check that the name servers of the domain respond.',
  }
}

export function proofNotFound(claim: Claim): CheckError {
  return {
    reason: 'proof_not_found',
    message: `Add ${proofRecord(claim)}. A new record may take a while to appear.`,
  }
}

/** `seen`: the value found instead of the proof. */
export function proofWrong(claim: Claim, seen: string): CheckError {
  return {
    reason: 'proof_wrong',
    message:
      `The TXT record ${proofNameOf(claim.domain)} has the value ${escapeValue(seen)}, ` +
      `which proves another claim. Add ${proofRecord(claim)}.`,
  }
}

export function proofIsAlias({ domain, proof }: Claim, target: string): CheckError {
  const name = proofNameOf(domain)
  return {
    reason: 'proof_is_alias',
    message:
      `${name} is an alias (CNAME) of ${escapeValue(target)}, ` +
      `and records there prove nothing about ${domain}. Add a TXT record ${name} itself, ` +
      `with the value ${proof}; a wildcard no longer counts for the name then.`,
  }
}

export function proofLost(claim: Claim, untilMs: number): CheckError {
  const until = new Date(untilMs).toISOString()
  return {
    reason: 'proof_lost',
    message:
      'The proof is no longer there. ' +
      `Restore it before ${until}, or the domain is no longer verified: add ${proofRecord(claim)}.`,
  }
}

export function nameTooLong({ domain }: Claim): CheckError {
  return {
    reason: 'name_too_long',
    message:
      `${proofNameOf(domain)} is too long for a DNS name. ` +
      `Claim and verify a name above ${domain}, which covers it.`,
  }
}

export function verifiedByAnotherTeam({ domain }: Claim): CheckError {
  return {
    reason: 'verified_by_another_team',
    message:
      `The proof is there, but another team has verified ${domain}. ` +
      'It has to delete the domain, or remove its TXT record, which frees the domain after 7 days.',
  }
}

/** `expected`: the targets of the domain; `strange`: its other addresses. */
export function notRouted(domain: string, expected: string[], strange: string[]): CheckError {
  const remove =
    strange.length > 0
      ? ` Remove ${strange.slice(0, 3).map(escapeValue).join(', ')}, which points elsewhere.`
      : ''
  const point =
    expected.length > 0
      ? `Point ${domain} to ${expected.join(' or ')}.${remove}`
      : `The operator has not set the targets of domains: ${domain} can't be reached here.`
  return { reason: 'not_routed', message: point }
}

function proofRecord({ domain, proof }: Claim): string {
  return `a TXT record ${proofNameOf(domain)} with the value ${proof}`
}
