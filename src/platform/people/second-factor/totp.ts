/**
 * Time-based one-time passwords (RFC 6238) of apps: SHA-1, six digits, thirty seconds, as all of them
 * support.
 */
import { Secret, TOTP } from 'otpauth'
import { asSecret, type Secret as SecretText } from '../../../lib/secret.ts'

const periodSeconds = 30

/** How many steps an app's clock may be off, each way. */
const window = 1

/** 160 bits, as RFC 4226, section 4, recommends. */
const secretBytes = 20

/** A new secret in base32. */
export function newTotpSecret(): SecretText {
  return asSecret(new Secret({ size: secretBytes }).base32)
}

/** The service by its address, and the account there. */
type Account = { apiUrl: string; label: string }

/**
 * The address that an app takes the secret from, as text or as a QR code. A colon separates issuer and
 * account, and neither may have one (Key Uri Format, Label), as ports and IPv6 addresses do.
 */
export function totpUrl(secret: string, { apiUrl, label }: Account): string {
  const host = new URL(apiUrl).hostname.replaceAll(/[[\]]/g, '')
  return new TOTP({ issuer: withoutColons(host), label: withoutColons(label), secret }).toString()
}

function withoutColons(text: string): string {
  return text.replaceAll(':', '-')
}

/** The time step that a code of six digits is for; undefined for a wrong one. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const off = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp: nowMs, window })
  return off === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + off
}
