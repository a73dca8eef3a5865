/**
 * The cookie of a visitor whom a protected site has let in: who that is, where, until when, and the version
 * of access that must not have risen since. Its HMAC makes it the edge's own, so that a request with it needs
 * no query.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileSite } from '../find-site.ts'
import { cookieName, cookiesNamed, setCookie } from './host-cookie.ts'

/** `subject` is the id of a person or of a share link, or `password`. */
export type Entry = { subject: string; accessVersion: number; expiryMs: number }

export type Seal = { key: Buffer; isSecure: boolean; nowMs: number }

type Place = Pick<FileSite, 'projectId' | 'host'>

const name = 'svc_visit'

const format = /^([a-z]+(?:_[0-9a-f]{32})?)\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/

/** A `Set-Cookie` value that lets in at this place alone. */
export function sealVisit({ key, isSecure, nowMs }: Seal, place: Place, entry: Entry): string {
  const { subject, accessVersion, expiryMs } = entry
  const value = `${subject}.${accessVersion}.${expiryMs}.${sign(key, place, entry)}`
  const maxAgeS = Math.max(0, Math.floor((expiryMs - nowMs) / 1_000))
  return setCookie(cookieName(name, isSecure), value, { isSecure, maxAgeS })
}

/** Whether a `Cookie` header holds a visit to this site that goes on. */
export function hasVisit(
  { key, isSecure, nowMs }: Seal,
  site: Place & Pick<FileSite, 'accessVersion'>,
  field: string,
): boolean {
  return cookiesNamed(cookieName(name, isSecure), field).some((value) => {
    const entry = openVisit(key, site, value)
    // The site in memory may be older than the cookie, never younger than a second.
    return entry !== undefined && entry.accessVersion >= site.accessVersion && entry.expiryMs > nowMs
  })
}

function openVisit(key: Buffer, place: Place, value: string): Entry | undefined {
  const [, subject, version, expiry, signature] = format.exec(value) ?? []
  if (subject === undefined || signature === undefined) return undefined
  const entry = { subject, accessVersion: Number(version), expiryMs: Number(expiry) }
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, place, entry))) ? entry : undefined
}

function sign(key: Buffer, { projectId, host }: Place, { subject, accessVersion, expiryMs }: Entry): string {
  // Other cookies that this key signs begin otherwise.
  const claim = JSON.stringify(['visit', subject, projectId, host, accessVersion, expiryMs])
  return createHmac('sha256', key).update(claim).digest('base64url')
}
