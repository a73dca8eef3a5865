/**
 * A random number that a browser keeps as a cookie while somebody signs in: what comes back with its hash
 * belongs to this browser, and to no other one in which a stranger has planted it.
 */
import { hash, randomBytes } from 'node:crypto'
import { cookieName, cookiesNamed, setCookie } from './host-cookie.ts'

const name = 'svc_nonce'

const format = /^[\w-]{32}$/

/** The time to sign in, also with a mail on the way. */
const maxAgeS = 3_600

/** `cookie` is a `Set-Cookie` value. */
export type Nonce = { sha256: string; cookie: string }

/** The browser's nonce, or a new one. Kept, since other tabs may be waiting for it. */
export function nonceOf(field: string | undefined, isSecure: boolean): Nonce {
  const value = noncesIn(field, isSecure)[0] ?? randomBytes(24).toString('base64url')
  const cookie = setCookie(cookieName(name, isSecure), value, { isSecure, maxAgeS })
  return { sha256: digestOf(value), cookie }
}

/** Whether a `Cookie` header is of the browser that has the nonce. */
export function hasNonce(field: string | undefined, sha256: string, isSecure: boolean): boolean {
  return noncesIn(field, isSecure).some((value) => digestOf(value) === sha256)
}

function noncesIn(field: string | undefined, isSecure: boolean): string[] {
  const values = field === undefined ? [] : cookiesNamed(cookieName(name, isSecure), field)
  return values.filter((value) => format.test(value))
}

function digestOf(nonce: string): string {
  return hash('sha256', nonce, 'base64url')
}
