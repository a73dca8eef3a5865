/** Examples of domains in the document of the API. */
import type { z } from 'zod'
import type { putDomainInput } from '../../../platform/domains/domain-input.ts'
import type { DomainRecord } from '../../../platform/domains/domain-output.ts'

export const domainExample: DomainRecord = {
  id: 'dom_019aa5d3e4a1b07c92d85f3e6a0b1c47',
  domain: 'www.example.com',
  project: 'web',
  redirect: null,
  verified: true,
  verification: [
    {
      type: 'TXT',
      name: '_svc.www.example.com',
      value: 'svc-verify=5yWg2mZ0cR8hN4tQvK1uXs7bLpE9dJfA3oTiYx6HwGM',
    },
  ],
  configured: true,
  expected: [{ type: 'CNAME', name: 'www.example.com', value: 'edge.svc.site' }],
  seen: [{ type: 'CNAME', name: 'www.example.com', value: 'edge.svc.site' }],
  error: null,
  tls: { state: 'active', not_after_ms: 1_793_888_060_000, error: null, own: false },
  nameservers: ['ns1.svc.site', 'ns2.svc.site'],
  created_ms: 1_790_000_000_000,
  verified_ms: 1_790_000_060_000,
  checked_ms: 1_790_000_060_000,
  next_check_ms: 1_790_086_460_000,
}

export const putDomainExample: Omit<z.input<typeof putDomainInput>, 'domain'> = { project: 'web' }
