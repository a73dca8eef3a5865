/** A zone with one of everything, and queries for it, for comparisons with other name servers. */
import type { records } from '../../../src/stores/db/schema/records.ts'

type Sample = Pick<typeof records.$inferInsert, 'type' | 'value'> & {
  name: string
  strings?: string[]
  priority?: number
  weight?: number
  port?: number
}

/** Longer than any response by UDP. */
const longText = Array.from({ length: 100 }, (_, index) => `"part" ${index} \\ of ä long text`).join(';')

/** The records of the zone `top`, by their names in it. */
export function sampleZone(top: string): Sample[] {
  return [
    { name: '@', type: 'A', value: '192.0.2.1' },
    { name: '@', type: 'MX', value: `mail.${top}`, priority: 10 },
    { name: '@', type: 'MX', value: 'mail.example.net', priority: 20 },
    { name: '@', type: 'CAA', value: '0 issue "ca.example.net; policy=ev"' },
    { name: 'mail', type: 'A', value: '192.0.2.2' },
    { name: 'mail', type: 'AAAA', value: '2001:db8::2' },
    { name: 'no-mail', type: 'MX', value: '.', priority: 0 },
    { name: 'caa', type: 'CAA', value: '128 iodef "mailto:ca@example.net"' },
    { name: 'long', type: 'TXT', value: longText },
    { name: 'texts', type: 'TXT', value: 'a'.repeat(600) },
    { name: 'texts', type: 'TXT', value: 'with "quotes", \\ and ü; all of it' },
    { name: 'texts', type: 'TXT', value: 'a=1b="ü"\\', strings: ['a=1', '', 'b="ü"\\'] },
    { name: 'texts', type: 'TXT', value: 'a=1b="ü"\\' },
    { name: 'empty-text', type: 'TXT', value: '' },
    { name: 'www', type: 'CNAME', value: top },
    { name: 'chain', type: 'CNAME', value: `www.${top}` },
    { name: 'out', type: 'CNAME', value: 'example.net' },
    { name: 'dangling', type: 'CNAME', value: `nothing.${top}` },
    { name: 'one', type: 'CNAME', value: `two.${top}` },
    { name: 'two', type: 'CNAME', value: `one.${top}` },
    { name: 'to-sub', type: 'CNAME', value: `host.sub.${top}` },
    { name: 'to-wild', type: 'CNAME', value: `x.y.wild.${top}` },
    { name: '*.wild', type: 'TXT', value: 'wild' },
    { name: '*.wild', type: 'A', value: '192.0.2.3' },
    { name: '*.mxw', type: 'MX', value: `mail.${top}`, priority: 5 },
    { name: 'mx-to-wild', type: 'MX', value: `x.wild.${top}`, priority: 5 },
    { name: 'mx-to-sub', type: 'MX', value: `ns.sub.${top}`, priority: 5 },
    { name: 'a.b.wild', type: 'A', value: '192.0.2.4' },
    { name: '*.cwild', type: 'CNAME', value: top },
    { name: '*.odd', type: 'A', value: '192.0.2.7' },
    { name: 'a.empty', type: 'A', value: '192.0.2.5' },
    { name: 'a.b.c.deep', type: 'A', value: '192.0.2.8' },
    { name: 'sub', type: 'NS', value: `ns.sub.${top}` },
    { name: 'sub', type: 'NS', value: 'ns.example.net' },
    { name: 'ns.sub', type: 'A', value: '192.0.2.6' },
    { name: '_sip._tcp', type: 'SRV', value: `mail.${top}`, priority: 1, weight: 2, port: 5060 },
    { name: '_none._tcp', type: 'SRV', value: '.', priority: 0, weight: 0, port: 0 },
    { name: '@', type: 'HTTPS', value: '. alpn=h2,h3 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1', priority: 1 },
    { name: '@', type: 'HTTPS', value: `mail.${top} mandatory=alpn,port alpn=h2 port=8443`, priority: 2 },
    { name: 'alias', type: 'HTTPS', value: `mail.${top}`, priority: 0 },
    {
      name: '_dns',
      type: 'SVCB',
      value: `mail.${top} alpn=dot key7=/q{?dns} key667="a \\210\\"b"`,
      priority: 1,
    },
    {
      name: '_dns',
      type: 'SVCB',
      value: '. alpn="f\\\\\\\\oo\\\\,bar,h2" no-default-alpn ech=AAAB',
      priority: 3,
    },
    {
      name: '_dns',
      type: 'SVCB',
      value: `ns.sub.${top} key9 key667="a key5 \\"b;(c)" key65534`,
      priority: 4,
    },
    { name: '_dns', type: 'SVCB', value: '. alpn="a;(b),h2" key7="/q;{?dns}"', priority: 5 },
    { name: '*.svcb', type: 'SVCB', value: '.', priority: 0 },
    { name: '_443._tcp', type: 'TLSA', value: `3 1 1 ${'0d6fce3d'.repeat(8)}` },
    { name: '_443._tcp', type: 'TLSA', value: `3 0 0 ${'30'.repeat(700)}` },
    { name: 'ssh', type: 'SSHFP', value: `1 1 ${'bf6b'.repeat(10)}` },
    { name: 'ssh', type: 'SSHFP', value: `4 2 ${'0123'.repeat(16)}` },
    { name: 'naptr', type: 'NAPTR', value: `100 10 "S" "SIP+D2U" "" _sip._tcp.${top}` },
    { name: 'naptr', type: 'NAPTR', value: '100 20 "u" "E2U+sip" "!^(.*)$!sip:\\\\1@\\"ü\\"!" .' },
    { name: 'sub', type: 'DS', value: `60485 13 2 ${'d4b7'.repeat(16)}` },
    { name: 'sub', type: 'DS', value: `1 8 4 ${'00ff'.repeat(24)}` },
    { name: 'ptr', type: 'PTR', value: `mail.${top}` },
    { name: 'loc', type: 'LOC', value: '52 22 23.001 N 4 53 32 E -2.05m 0m 12m 0.05m' },
    { name: 'loc', type: 'LOC', value: '90 S 180 W 42849672.95m 40000000m 1m 10m' },
    { name: 'far', type: 'LOC', value: '90 S 180 W 42849672.95m 90000000m 1m 10m' },
  ]
}

/** Names at, above, below and beside those of the records, in several cases. */
export const sampleNames = [
  ...[
    '',
    'mail',
    'no-mail',
    'caa',
    'long',
    'texts',
    'www',
    'chain',
    'out',
    'dangling',
    'one',
    'to-sub',
    'to-wild',
  ],
  ...[
    'wild',
    'x.wild',
    'x.y.wild',
    'b.wild',
    'c.b.wild',
    'x.a.b.wild',
    '*.wild',
    'x.*.wild',
    'x.mxw',
    'mx-to-wild',
  ],
  ...[
    'mx-to-sub',
    'x.cwild',
    'x.y.cwild',
    'odd',
    'x.odd',
    'x.y.odd',
    '*.odd',
    'below.*.odd',
    'x.below.*.odd',
  ],
  ...[
    'empty',
    'a.empty',
    'b.empty',
    'deep',
    'c.deep',
    'b.c.deep',
    'x.c.deep',
    'a.b.c.deep',
    'sub',
    'x.sub',
    'ns.sub',
  ],
  ...['a.b.sub', '_tcp', '_sip._tcp', '_none._tcp', 'x._tcp', '_svc', 'x._svc', 'nothing', 'a.b.nothing'],
  ...['alias', 'empty-text', '_dns', 'x.svcb', '_443._tcp', 'ssh', 'naptr', 'ptr', 'loc', 'far'],
  ...['WwW', 'X.wIld', 'cHaIn', 'DANGLING', '_SIP._Tcp', 'noTHing', 'X.cWILD'],
]

export const sampleTypes = [
  ...['A', 'AAAA', 'MX', 'NS', 'SOA', 'TXT', 'CNAME', 'SRV', 'CAA', 'DS', 'DNSKEY'],
  ...['HTTPS', 'SVCB', 'TLSA', 'SSHFP', 'NAPTR', 'PTR', 'LOC'],
]
