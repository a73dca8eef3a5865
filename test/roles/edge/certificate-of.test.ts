/** Which certificate a host is served with. */
import { createSecureContext, type SecureContext } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createCertificateOf } from '../../../src/roles/edge/certificate-of.ts'
import type { Site } from '../../../src/roles/edge/find-site.ts'

const sitesHost = 'svc.site'
const wildcard = createSecureContext()
const own = createSecureContext()
const site: Site = {
  kind: 'redirect',
  host: 'shop.example',
  teamId: 'team',
  projectId: null,
  deploymentId: null,
  to: 'elsewhere.example',
  status: 308,
}

type Given = {
  /** By name. */
  certificates?: Record<string, SecureContext>
  domains?: string[]
  covered?: string[]
}

/** The certificate of `host`, and the names that were looked up. */
async function certificateOf(host: string, { certificates = {}, domains = [], covered = [] }: Given) {
  const lookedUp: string[] = []
  const find = createCertificateOf({
    findSite: async (name, address) => {
      lookedUp.push(`${name} for ${address()}`)
      return domains.includes(name) ? site : undefined
    },
    served: {
      contextOf: async (name) => certificates[name],
      untilIssued: async (name) => certificates[name],
    },
    sitesHost,
    isCovered: (name) => covered.includes(name),
  })
  return { found: await find(host, '192.0.2.7'), lookedUp }
}

describe('a host of the sites’ domain', () => {
  const certificates = { '*.svc.site': wildcard }

  it.each(['hello.svc.site', 'svc.site'])('%s has that of the wildcard, without a look-up', async (host) => {
    expect(await certificateOf(host, { certificates })).toEqual({ found: wildcard, lookedUp: [] })
  })

  it('has the operator’s where that covers it', async () => {
    const { found } = await certificateOf('hello.svc.site', { certificates, covered: ['hello.svc.site'] })
    expect(found).toBeUndefined()
  })

  it('is unknown with two labels below it', async () => {
    const { found, lookedUp } = await certificateOf('a.b.svc.site', { certificates })
    expect({ found, lookedUp }).toEqual({ found: 'unrecognized', lookedUp: [] })
  })
})

describe('a domain', () => {
  const domains = ['shop.example']

  it('has its own, before the operator’s', async () => {
    const given = { domains, certificates: { 'shop.example': own }, covered: ['shop.example'] }
    expect((await certificateOf('shop.example', given)).found).toBe(own)
  })

  it('has the operator’s where it has none and that covers it', async () => {
    expect(
      (await certificateOf('shop.example', { domains, covered: ['shop.example'] })).found,
    ).toBeUndefined()
  })

  it('is unknown without either', async () => {
    expect((await certificateOf('shop.example', { domains })).found).toBe('unrecognized')
  })

  it('that nobody has is looked up for its client, and unknown even with a certificate', async () => {
    const given = { certificates: { 'gone.example': own }, covered: ['gone.example'] }
    expect(await certificateOf('gone.example', given)).toEqual({
      found: 'unrecognized',
      lookedUp: ['gone.example for 192.0.2.7'],
    })
  })
})
