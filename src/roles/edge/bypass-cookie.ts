/**
 * The cookie that grants access to a protected host after its secret was sent once: a claim and its HMAC,
 * never the secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The scope of a cookie: one version of one project's secret, on one host. */
export type Claim = { projectId: string; host: string; bypassVersion: number }

const cookieName = 'svc_bypass'

const maxAgeS = 86_400

/** Sites on sibling hosts may set cookies of this name for this host: those must not shadow ours. */
const maxTried = 10

/** A `Set-Cookie` value for this host only, valid for a day. */
export function sealCookie(key: Buffer, claim: Claim, nowMs: number, isSecure: boolean): string {
  const expiryMs = nowMs + maxAgeS * 1000
  const value = `${claim.bypassVersion}.${expiryMs}.${sign(key, claim, expiryMs)}`
  const attributes = `Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Lax`
  return `${cookieName}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`
}

/** Whether a `Cookie` header contains an unexpired cookie that was sealed for this claim. */
export function hasCookie(key: Buffer, claim: Claim, field: string, nowMs: number): boolean {
  const values = field
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1))
  return values.slice(0, maxTried).some((value) => isGenuine(key, claim, value, nowMs))
}

function isGenuine(key: Buffer, claim: Claim, value: string, nowMs: number): boolean {
  const [, version, expiry, signature] = /^(\d{1,10})\.(\d{1,16})\.([\w-]{43})$/.exec(value) ?? []
  if (version !== String(claim.bypassVersion) || signature === undefined || Number(expiry) <= nowMs)
    return false
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, claim, Number(expiry))))
}

function sign(key: Buffer, { projectId, host, bypassVersion }: Claim, expiryMs: number): string {
  const claim = JSON.stringify([projectId, host, bypassVersion, expiryMs])
  return createHmac('sha256', key).update(claim).digest('base64url')
}
