/** The secrets of webhooks, and signatures with them. */
import { createHmac, randomBytes } from 'node:crypto'

const secretBytes = 32
const prefix = 'whsec_'

/** A new secret (Standard Webhooks): `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`
}

/**
 * The value of `webhook-signature` (Standard Webhooks, "Signature scheme") for a request at `timestamp`, in
 * seconds.
 */
export function sign(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
