import { describe, expect, it } from 'vitest'
import { expectedRecords } from '../../../src/platform/domains/expected.ts'

const apex = { domain: 'example.com', registrable: 'example.com' }
const below = { domain: 'www.example.com', registrable: 'example.com' }

describe('with a configured name of the edge', () => {
  const routing = { addresses: ['192.0.2.1'], cname: 'edge.svc.example' }

  it('a subdomain should have a CNAME to it', () => {
    expect(expectedRecords(below, routing)).toEqual([
      { type: 'CNAME', name: 'www.example.com', value: 'edge.svc.example' },
    ])
  })

  it('the registrable domain, which can have no CNAME, should have an ALIAS', () => {
    expect(expectedRecords(apex, routing)).toEqual([
      { type: 'ALIAS', name: 'example.com', value: 'edge.svc.example' },
    ])
  })
})

it.each([apex, below])('with addresses only, $domain should have all of them', (name) => {
  const routing = { addresses: ['192.0.2.1', '2001:db8::1'], cname: undefined }
  expect(expectedRecords(name, routing)).toEqual([
    { type: 'A', name: name.domain, value: '192.0.2.1' },
    { type: 'AAAA', name: name.domain, value: '2001:db8::1' },
  ])
})
