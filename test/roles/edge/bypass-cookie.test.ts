/** The cookie that grants access to a protected host. */
import { expect, it } from 'vitest'
import { hasCookie, sealCookie } from '../../../src/roles/edge/bypass-cookie.ts'

const key = Buffer.alloc(32, 1)
const claim = { projectId: 'prj_1', host: 'web', bypassVersion: 3 }
const nowMs = 1_700_000_000_000
const day = 86_400_000
const cookie = sealCookie(key, claim, nowMs, true)
const pair = cookie.split(';')[0] ?? ''
const accepts = (field: string, changes: Partial<typeof claim> = {}, atMs = nowMs, by = key) =>
  hasCookie(by, { ...claim, ...changes }, field, atMs)

it('is for this host only, for a day, and HttpOnly', () => {
  expect(cookie).toMatch(
    /^svc_bypass=3\.1700086400000\.[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect(sealCookie(key, claim, nowMs, false)).not.toContain('Secure')
})

it('grants access until it expires', () => {
  expect(accepts(pair)).toBe(true)
  expect(accepts(pair, {}, nowMs + day - 1)).toBe(true)
  expect(accepts(pair, {}, nowMs + day)).toBe(false)
})

it('grants access to nothing else', () => {
  expect(accepts(pair, { projectId: 'prj_2' })).toBe(false)
  expect(accepts(pair, { host: 'web-2' })).toBe(false)
  expect(accepts(pair, { bypassVersion: 4 })).toBe(false)
  expect(accepts(pair, {}, nowMs, Buffer.alloc(32, 2))).toBe(false)
})

it('cannot be modified', () => {
  const [version, expiry, signature = ''] = pair.slice('svc_bypass='.length).split('.')
  const forge = (...parts: unknown[]) => accepts(`svc_bypass=${parts.join('.')}`)
  expect(forge(version, expiry, signature)).toBe(true)
  expect(forge(version, Number(expiry) + 1, signature)).toBe(false)
  expect(forge(version, `0${expiry}`, signature)).toBe(true)
  expect(forge(4, expiry, signature)).toBe(false)
  expect(forge(version, expiry, signature.toUpperCase())).toBe(false)
  expect(forge(version, expiry, signature.slice(1))).toBe(false)
  expect(forge(version, expiry, '')).toBe(false)
  expect(forge(version, expiry)).toBe(false)
  expect(forge('3', 'Infinity', signature)).toBe(false)
  expect(forge('')).toBe(false)
})

it('is found among other cookies, also of the same name', () => {
  expect(accepts(`a=1; svc_bypass=junk; ${pair};b="x"`)).toBe(true)
  expect(accepts(`a=1;${pair}`)).toBe(true)
  expect(accepts('')).toBe(false)
  expect(accepts(`xsvc_bypass=${pair.slice('svc_bypass='.length)}`)).toBe(false)
  expect(accepts(`${'svc_bypass=x; '.repeat(2_000)}${pair}`)).toBe(false)
})
