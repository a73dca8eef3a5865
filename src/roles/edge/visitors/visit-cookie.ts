/**
 * The cookie of a visitor whom a protected site has let in: who that is, where, until when, and the versions
 * of access, and of a person's visits, that must not have risen since. Its HMAC makes it the edge's own, so
 * that a request with it needs no query.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileSite } from '../find-site.ts'
import { cookieName, cookiesNamed, setCookie } from './host-cookie.ts'

/**
 * `subject` is the id of a person or of a share link, or `password`; `visitVersion` is of a person's visits
 * when this one began, and 0 for others.
 */
export type Entry = { subject: string; visitVersion: number; accessVersion: number; expiryMs: number }

export type Seal = { key: Buffer; isSecure: boolean; nowMs: number }

type Place = Pick<FileSite, 'projectId' | 'host'>

const name = 'svc_visit'

/** The subject's version follows it unless it is 0, as it was in cookies before there were versions. */
const format = /^([a-z]+(?:_[0-9a-f]{32})?)(?:-([1-9]\d{0,9}))?\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/

/** A `Set-Cookie` value that lets in at this place alone. */
export function sealVisit({ key, isSecure, nowMs }: Seal, place: Place, entry: Entry): string {
  const { accessVersion, expiryMs } = entry
  const value = `${holderOf(entry)}.${accessVersion}.${expiryMs}.${sign(key, place, entry)}`
  const maxAgeS = Math.max(0, Math.floor((expiryMs - nowMs) / 1_000))
  return setCookie(cookieName(name, isSecure), value, { isSecure, maxAgeS })
}

/**
 * The visits to this site in a `Cookie` header that haven't ended with the site's version of access, or their
 * time. Those of people may have ended with theirs.
 */
export function findVisits(
  { key, isSecure, nowMs }: Seal,
  site: Place & Pick<FileSite, 'accessVersion'>,
  field: string,
): Entry[] {
  return cookiesNamed(cookieName(name, isSecure), field).flatMap((value) => {
    const entry = openVisit(key, site, value)
    // The site in memory may be older than the cookie, never younger than a second.
    const holds = entry && entry.accessVersion >= site.accessVersion && entry.expiryMs > nowMs
    return holds ? entry : []
  })
}

function openVisit(key: Buffer, place: Place, value: string): Entry | undefined {
  const [, subject, visit = '0', access, expiry, signature] = format.exec(value) ?? []
  if (subject === undefined || signature === undefined) return undefined
  const entry = {
    subject,
    visitVersion: Number(visit),
    accessVersion: Number(access),
    expiryMs: Number(expiry),
  }
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, place, entry))) ? entry : undefined
}

function sign(key: Buffer, { projectId, host }: Place, entry: Entry): string {
  // Other cookies that this key signs begin otherwise.
  const claim = ['visit', holderOf(entry), projectId, host, entry.accessVersion, entry.expiryMs]
  return createHmac('sha256', key).update(JSON.stringify(claim)).digest('base64url')
}

function holderOf({ subject, visitVersion }: Entry): string {
  return visitVersion === 0 ? subject : `${subject}-${visitVersion}`
}
