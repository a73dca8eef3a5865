import { describe, expect, it } from 'vitest'
import { isPlatformName } from '../../../src/platform/domains/platform-names.ts'

const platform = {
  apiUrl: 'https://api.svc.example:8443',
  sitesUrl: 'https://svc.site',
  routing: { addresses: ['192.0.2.1'], cname: 'edge.svc-infra.example' },
  nameservers: ['ns1.svc-dns.example', 'ns2.svc-dns.example'],
}

describe('the platform reserves', () => {
  it.each([
    ["the sites' domain", 'svc.site'],
    ['a site', 'web.svc.site'],
    ['a name below a site', 'a.web.svc.site'],
    ["the API's name", 'api.svc.example'],
    ['a name below the API’s', 'x.api.svc.example'],
    ['a name above the API’s', 'svc.example'],
    ['the name of the edge', 'edge.svc-infra.example'],
    ['the name of a name server', 'ns2.svc-dns.example'],
  ])('%s: %s', (_what, domain) => {
    expect(isPlatformName(domain, platform)).toBe(true)
  })
})

describe('teams may claim', () => {
  it.each([
    ["a name that only ends like the sites' domain", 'notsvc.site'],
    ['a name that begins like it', 'svc.site.example'],
    ["a name beside the API's", 'www.svc.example'],
    ['a name beside the edge', 'other.svc-infra.example'],
    ['a name below a name server', 'x.ns1.svc-dns.example'],
    ['an ordinary name', 'example.com'],
  ])('%s: %s', (_what, domain) => {
    expect(isPlatformName(domain, platform)).toBe(false)
  })
})

it('an API at an IP address reserves no name', () => {
  const local = { ...platform, apiUrl: 'http://127.0.0.1:3000', sitesUrl: 'http://localhost:8080' }
  expect(isPlatformName('example.com', local)).toBe(false)
  expect(isPlatformName('web.localhost', local)).toBe(true)
})
