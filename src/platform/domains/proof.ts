/** The proof that a team owns a name: a TXT record below it. */
import { randomBytes } from 'node:crypto'
import type { RecordValue } from '../../stores/db/schema/domains.ts'

/** A random value of 256 bits. */
export function newProof(): string {
  return `svc-verify=${randomBytes(32).toString('base64url')}`
}

/** The records that prove a claim. */
export function verificationOf({ domain, proof }: { domain: string; proof: string }): RecordValue[] {
  return [{ type: 'TXT', name: `_svc.${domain}`, value: proof }]
}
