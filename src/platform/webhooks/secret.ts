/** The secrets of webhooks, and signatures with them. */
import { createHmac, randomBytes } from 'node:crypto'
import { asSecret, type Secret } from '../../lib/secret.ts'

const secretBytes = 32
const prefix = 'whsec_'

/** A new secret (Standard Webhooks): `whsec_` and 32 random bytes in base64. */
export function newSecret(): Secret {
  return asSecret(`${prefix}${randomBytes(secretBytes).toString('base64')}`)
}

/** The key of a secret: the bytes in its base64; of a secret in another form, which is not ours, its own. */
export function signingKey(secret: string): Buffer {
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret, 'utf8')
}

/**
 * The value of `webhook-signature` (Standard Webhooks, "Signature scheme") for a request at `timestamp`, in
 * seconds.
 */
export function sign(secret: string, id: string, timestamp: number, body: string | Buffer): string {
  const signed = createHmac('sha256', signingKey(secret)).update(`${id}.${timestamp}.`).update(body)
  return `v1,${signed.digest('base64')}`
}
