/** Recovery codes, each of which stands once for a code of the app. */
import { randomBytes } from 'node:crypto'
import { asSecret } from '../../../lib/secret.ts'
import { hashToken } from '../../callers/token.ts'

const codes = 10

/** Crockford's base32 in lower case: no letter looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits, so that their SHA-256 is all that has to be stored. */
const length = 16

/** New codes such as `k3vq-0h2m-x9ta-7c4d`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, () => {
    const letters = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
}

/** The hash of a code as it was typed: dashes, spaces and capitals don't matter. */
export function hashRecoveryCode(typed: string): string {
  return hashToken(asSecret(typed.toLowerCase().replaceAll(/[\s-]/g, '')))
}
