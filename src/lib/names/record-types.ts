/** The types of DNS records that can be kept. */
export const recordTypes = [
  'A',
  'AAAA',
  'ALIAS',
  'CAA',
  'CNAME',
  'DS',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'PTR',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
] as const

export type RecordType = (typeof recordTypes)[number]

/** Why SPF isn't among them (RFC 7208, section 3.1). */
export const spfMessage = 'SPF records are obsolete: use TXT with the same value'
