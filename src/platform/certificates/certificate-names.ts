/** The names of a certificate, and how each can be shown to be here. */
import type { ChallengeType } from './acme/orders.ts'

const wildcard = '*.'

function isWildcard(name: string): boolean {
  return name.startsWith(wildcard)
}

/** `*.example.com` is for `example.com`, too. */
export function namesOf(name: string): string[] {
  return isWildcard(name) ? [baseOf(name), name] : [name]
}

/** The name without `*.`, at which it is validated. */
export function baseOf(name: string): string {
  return isWildcard(name) ? name.slice(wildcard.length) : name
}

/** Where the authority looks for DNS-01 (RFC 8555, section 8.4). */
export function challengeRecordOf(name: string): string {
  return `_acme-challenge.${baseOf(name)}`
}

export type Possible = {
  /** Whether an edge listens for TLS. */
  hasTlsPort: boolean
  /** Whether the platform's own name server serves the name. */
  isInOwnZone: boolean
}

/** The challenges that can work for a name, the quickest first. */
export function challengesFor(name: string, { hasTlsPort, isInOwnZone }: Possible): ChallengeType[] {
  if (isWildcard(name)) return ['dns-01']
  return [
    'http-01',
    ...(hasTlsPort ? (['tls-alpn-01'] as const) : []),
    ...(isInOwnZone ? (['dns-01'] as const) : []),
  ]
}
