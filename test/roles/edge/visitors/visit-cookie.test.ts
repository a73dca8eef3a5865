/** The cookie of a visit. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findVisits, type Seal, sealVisit } from '../../../../src/roles/edge/visitors/visit-cookie.ts'

const seal = { key: randomBytes(32), isSecure: true, nowMs: 1_000_000 }
const site = { projectId: 'prj_1', host: 'web', accessVersion: 3 }
const subject = `usr_${'0'.repeat(32)}`
const entry = { subject, visitVersion: 0, accessVersion: 3, expiryMs: 1_060_000 }

const made = sealVisit(seal, site, entry)
const cookie = made.split(';')[0] ?? ''

const hasVisit = (by: Seal, at: typeof site, field: string) => findVisits(by, at, field).length > 0

it('is this host’s alone, over TLS', () => {
  expect(made).toMatch(/^__Host-svc_visit=[^;]+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  expect(sealVisit({ ...seal, isSecure: false }, site, entry)).toMatch(/^svc_visit=[^;]+; .+; SameSite=Lax$/)
})

describe('lets in', () => {
  it('until it ends, beside others of that name', () => {
    expect(hasVisit(seal, site, `a=b; __Host-svc_visit=x; ${cookie}`)).toBe(true)
    expect(hasVisit({ ...seal, nowMs: 1_060_000 }, site, cookie)).toBe(false)
  })

  it('while the version of access has not risen', () => {
    expect(hasVisit(seal, { ...site, accessVersion: 2 }, cookie)).toBe(true)
    expect(hasVisit(seal, { ...site, accessVersion: 4 }, cookie)).toBe(false)
  })
})

describe('of a person whose visits have ended before', () => {
  const later = { ...entry, visitVersion: 12 }
  const made = sealVisit(seal, site, later).split(';')[0] ?? ''

  it('says which ones it is among, and has the form of before for none', () => {
    expect(findVisits(seal, site, made)).toEqual([later])
    expect(made).toContain(`${subject}-12.3.`)
    expect(cookie).toContain(`${subject}.3.`)
  })

  it.each(['-13', '-1', '-0', '-012', '', '-12-12', '-99999999999'])(
    'lets nobody in as one of others: %s',
    (as) => expect(findVisits(seal, site, made.replace('-12', as))).toEqual([]),
  )
})

it.each([
  ['at another host', { ...site, host: 'api' }, cookie],
  ['at another project', { ...site, projectId: 'prj_2' }, cookie],
  ['of a sibling host, without the prefix', site, cookie.replace('__Host-', '')],
  ['of another person', site, cookie.replace('usr_0', 'usr_1')],
  ['of a later version', { ...site, accessVersion: 4 }, cookie.replace('.3.', '.4.')],
  ['for longer', site, cookie.replace('1060000', '9060000')],
  ['without a signature', site, cookie.replace(/\.[^.]+$/, '.')],
])('lets nobody in %s', (_, at, field) => {
  expect(hasVisit({ ...seal, nowMs: 1_000_000 }, at, field)).toBe(false)
})

it('of another key lets nobody in', () => {
  expect(hasVisit({ ...seal, key: randomBytes(32) }, site, cookie)).toBe(false)
})
