import { describe, expect, it } from 'vitest'
import { expectedRecords } from '../../src/domains/expected.ts'

const apex = { domain: 'example.com', registrable: 'example.com' }
const below = { domain: 'www.example.com', registrable: 'example.com' }

describe('where there is a name for the edge', () => {
  const routing = { addresses: ['192.0.2.1'], cname: 'edge.svc.example' }

  it('a name below the registrable domain is to be a CNAME of it', () => {
    expect(expectedRecords(below, routing)).toEqual([
      { type: 'CNAME', name: 'www.example.com', value: 'edge.svc.example' },
    ])
  })

  it('the registrable domain, which can be no CNAME, an ALIAS', () => {
    expect(expectedRecords(apex, routing)).toEqual([
      { type: 'ALIAS', name: 'example.com', value: 'edge.svc.example' },
    ])
  })
})

it.each([apex, below])('where there are only addresses, $domain is to have all of them', (name) => {
  const routing = { addresses: ['192.0.2.1', '2001:db8::1'], cname: undefined }
  expect(expectedRecords(name, routing)).toEqual([
    { type: 'A', name: name.domain, value: '192.0.2.1' },
    { type: 'AAAA', name: name.domain, value: '2001:db8::1' },
  ])
})
