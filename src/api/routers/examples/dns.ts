/** Examples of DNS records in the document of the API. */
import type { z } from 'zod'
import type { createRecordInput } from '../../../platform/dns/record-input.ts'
import type { DnsRecord } from '../../../platform/dns/record-output.ts'

export const recordExample: DnsRecord = {
  id: 'rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1',
  domain: 'example.com',
  name: '@',
  fqdn: 'example.com',
  type: 'MX',
  value: 'mail.example.com',
  strings: null,
  ttl: 300,
  priority: 10,
  weight: null,
  port: null,
  comment: 'our own server',
  managed: false,
  created_ms: 1_790_000_000_000,
  updated_ms: 1_790_000_000_000,
}

export const createRecordExample: Omit<z.input<typeof createRecordInput>, 'domain'> = {
  name: '@',
  type: 'MX',
  value: 'mail.example.com',
  priority: 10,
  comment: 'our own server',
}
