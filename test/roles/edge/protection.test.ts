/** Which credentials open a protected host. */
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealCookie } from '../../../src/roles/edge/bypass-cookie.ts'
import type { FileSite } from '../../../src/roles/edge/find-site.ts'
import { findPassage } from '../../../src/roles/edge/protection.ts'
import { parseTarget } from '../../../src/roles/edge/wire/target.ts'

const secret = 's'.repeat(32)
const seal = { key: Buffer.alloc(32, 1), isSecure: true, nowMs: 1_700_000_000_000 }
const site: FileSite = {
  kind: 'files',
  host: 'web',
  teamId: 'team_1',
  projectId: 'prj_1',
  spa: false,
  hsts: false,
  isPreview: false,
  isProtected: true,
  bypassSha256: hash('sha256', secret),
  accessVersion: 0,
  hasPassword: false,
  bypassVersion: 1,
  deploymentId: 'dpl_1',
  manifestId: 1,
  server: undefined,
}
const cookie = sealCookie(seal.key, site, seal.nowMs, true).split(';')[0]
type Fields = { bypass?: string | undefined; cookie?: string | undefined; authorization?: string }

function passage(address: string, fields: Fields = {}, changes: Partial<FileSite> = {}) {
  const target = parseTarget(address)
  if (!target) throw new Error(`${address} is refused before.`)
  const head = { bypass: undefined, cookie: undefined, authorization: undefined, ...fields }
  return findPassage({ ...site, ...changes }, head, target, seal)
}

describe('opens for', () => {
  it('the secret in the header', () => expect(passage('/x', { bypass: secret })).toEqual({ kind: 'open' }))

  it('a secret that is not ASCII, sent as UTF-8', () => {
    const bypassSha256 = hash('sha256', 'ü'.repeat(32))
    const bypass = Buffer.from('ü'.repeat(32)).toString('latin1')
    expect(passage('/', { bypass }, { bypassSha256 })).toEqual({ kind: 'open' })
  })

  it('the cookie', () => expect(passage('/x', { cookie })).toEqual({ kind: 'open' }))

  it('valid Authorization', () => {
    const authorization = 'Bearer x'
    expect(passage('/', { authorization })).toEqual({ kind: 'authenticate', authorization })
    expect(passage('/', { authorization, cookie: 'svc_bypass=junk' })).toEqual({
      kind: 'authenticate',
      authorization,
    })
  })
})

describe('stays closed', () => {
  it.each<[string, string, Fields]>([
    ['without anything', '/', {}],
    ['for a wrong secret in the header', '/', { bypass: `${secret}s` }],
    ['for the digest of the secret', '/', { bypass: hash('sha256', secret) }],
    ['for an empty secret', '/', { bypass: '' }],
    ['for a wrong secret in the query', '/?x-svc-bypass=nope', {}],
    ['for an empty secret in the query', '/?x-svc-bypass', {}],
    ['for an undecodable secret', '/?x-svc-bypass=%ff', {}],
    ['for a wrong secret beside a good cookie', '/', { bypass: 'nope', cookie }],
    ['for a wrong secret in the query beside a good cookie', '/?x-svc-bypass=nope', { cookie }],
    ['for a wrong secret beside credentials', '/', { bypass: 'nope', authorization: 'Bearer x' }],
  ])('%s', (_, address, fields) => expect(passage(address, fields)).toEqual({ kind: 'refused' }))

  it('for any secret and any cookie when the project has no secret', () => {
    const none = { bypassSha256: null }
    for (const bypass of ['', secret, 'null'])
      expect(passage('/', { bypass }, none)).toEqual({ kind: 'refused' })
    expect(passage('/', { cookie }, none)).toEqual({ kind: 'refused' })
    expect(passage(`/?x-svc-bypass=${secret}`, {}, none)).toEqual({ kind: 'refused' })
  })
})

describe('the secret in the query redirects to the URL without it', () => {
  it.each([
    [`/?x-svc-bypass=${secret}`, '/'],
    [`/a/b?x-svc-bypass=${secret}`, '/a/b'],
    [`/a?b=1&x-svc-bypass=${secret}&c=%20+2`, '/a?b=1&c=%20+2'],
    [`/a?b&x-svc-bypass=${secret}&x-svc-bypass=other`, '/a?b'],
    [`/a?x%2dsvc-bypass=${secret}`, '/a'],
    [`/%C3%BC%20?x-svc-bypass=${secret}`, '/%C3%BC%20'],
    [`//evil.com/x?x-svc-bypass=${secret}`, '/evil.com/x'],
    [`///evil.com?x-svc-bypass=${secret}`, '/evil.com'],
    [`/%2f%2fevil.com?x-svc-bypass=${secret}`, '/%2F%2Fevil.com'],
  ])('%s', (address, location) => {
    const found = passage(address)
    expect(found).toMatchObject({ kind: 'enter', location })
    expect(JSON.stringify(found)).not.toContain(secret)
  })
})
