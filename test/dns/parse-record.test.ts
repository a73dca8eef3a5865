/** Which values each type accepts, and the canonical form that is stored. */
import { describe, expect, it } from 'vitest'
import { parseRecord, type RecordInput } from '../../src/dns/parse-record.ts'
import type { RecordType } from '../../src/dns/types/rule.ts'

const zone = 'example.com'

/** The names that each type may have, and its numbers. */
const usual: Record<RecordType, Omit<RecordInput, 'value' | 'type'>> = {
  A: { name: '@' },
  AAAA: { name: '@' },
  ALIAS: { name: '@' },
  CAA: { name: '@' },
  CNAME: { name: 'www' },
  MX: { name: '@', priority: 10 },
  NS: { name: 'sub' },
  SRV: { name: '_sip._tcp', priority: 0, weight: 5, port: 5060 },
  TXT: { name: '@' },
}

const parse = (type: RecordType, value: string, more: Partial<RecordInput> = {}) =>
  parseRecord({ type, value, ...usual[type], ...more }, zone)

function issuesOf(type: RecordType, value: string, more: Partial<RecordInput> = {}) {
  const parsed = parse(type, value, more)
  return 'issues' in parsed ? parsed.issues : []
}

const text = (bytes: number) => 'x'.repeat(bytes)

describe('a value in canonical form', () => {
  it.each<[RecordType, string, string]>([
    ['A', '192.0.2.1', '192.0.2.1'],
    ['A', '0.0.0.0', '0.0.0.0'],
    ['A', '255.255.255.255', '255.255.255.255'],
    ['AAAA', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['AAAA', '2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['AAAA', '1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['AAAA', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['AAAA', '2001:0db8::0001', '2001:db8::1'],
    ['AAAA', '::', '::'],
    ['AAAA', '::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
    ['AAAA', '::ffff:c000:201', '::ffff:192.0.2.1'],
    ['AAAA', '64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['ALIAS', 'Edge.Example.NET.', 'edge.example.net'],
    ['CNAME', 'Edge.Example.NET.', 'edge.example.net'],
    ['CNAME', '_3f.acm-validations.aws.', '_3f.acm-validations.aws'],
    ['CNAME', 'bücher.example', 'xn--bcher-kva.example'],
    ['MX', 'Mail.Example.com.', 'mail.example.com'],
    ['NS', 'NS1.example.net.', 'ns1.example.net'],
    ['SRV', 'sip.example.com.', 'sip.example.com'],
    ['SRV', '.', '.'],
    ['CAA', '0 issue "letsencrypt.org"', '0 issue "letsencrypt.org"'],
    ['CAA', '000  ISSUE  letsencrypt.org', '0 issue "letsencrypt.org"'],
    ['CAA', '0 issue " LetsEncrypt.org "', '0 issue "letsencrypt.org"'],
    ['CAA', '0 issue "letsencrypt.org;"', '0 issue "letsencrypt.org"'],
    ['CAA', '0 issue ";"', '0 issue ";"'],
    ['CAA', '0 issue ""', '0 issue ";"'],
    [
      'CAA',
      '128 issuewild "ca.example;policy=ev ; account = 23"',
      '128 issuewild "ca.example; policy=ev; account=23"',
    ],
    ['CAA', '0 iodef "mailto:security@example.com"', '0 iodef "mailto:security@example.com"'],
    ['CAA', '0 iodef "https://example.com/report?a=b"', '0 iodef "https://example.com/report?a=b"'],
    ['CAA', '0 contactemail "a@example.com"', '0 contactemail "a@example.com"'],
    ['CAA', '1 tbs "Unknown stays  As It Is"', '1 tbs "Unknown stays  As It Is"'],
    ['TXT', 'v=spf1 -all', 'v=spf1 -all'],
    ['TXT', '"quoted"', '"quoted"'],
    ['TXT', 'a\n\ttab; \\ ü 😀', 'a\n\ttab; \\ ü 😀'],
    ['TXT', ' ', ' '],
    ['TXT', text(64_000), text(64_000)],
  ])('%s %j', (type, value, canonical) => {
    expect(parse(type, value)).toMatchObject({ type, value: canonical })
    // A stored value is parsed again whenever another field changes.
    expect(parse(type, canonical)).toMatchObject({ type, value: canonical })
  })
})

describe('an invalid value', () => {
  it.each<[RecordType, string[], RegExp]>([
    [
      'A',
      [
        '',
        'example.com',
        '2001:db8::1',
        '1.2.3',
        '127.1',
        '1.2.3.4.5',
        '256.1.1.1',
        '01.2.3.4',
        '0x7f.0.0.1',
        '1.2.3.4/24',
        ' 1.2.3.4',
        '1.2.3.4\n',
        '١.٢.٣.٤',
        '2130706433',
      ],
      /IPv4 address/,
    ],
    [
      'AAAA',
      [
        '',
        '1.2.3.4',
        ':::',
        '1::2::3',
        '12345::',
        'fe80::1%eth0',
        '[::1]',
        '::1/64',
        '::ffff:1.2.3',
        '::1 ',
        'g::',
      ],
      /IPv6 address/,
    ],
    ['ALIAS', ['192.0.2.1', '2001:db8::1'], /for addresses use/],
    ['CNAME', ['192.0.2.1', '2001:db8::1'], /for addresses use/],
    ['MX', ['192.0.2.1', '2001:db8::1', '127.1'], /for addresses use/],
    ['NS', ['192.0.2.1', '2001:db8::1'], /for addresses use/],
    ['SRV', ['192.0.2.1', '2001:db8::1'], /for addresses use/],
    ['CNAME', ['', '.', '@', 'a b', '"a.b"', '*.example.com'], /only a host name/],
    ['NS', ['', '.', 'ns1 example.net'], /only a host name/],
    ['MX', ['', '10 mail.example.com', '..'], /only a host name/],
    ['SRV', ['', '0 5 5060 sip.example.com'], /only a host name/],
    ['MX', ['mail'], /an absolute name/],
    [
      'CAA',
      [
        '',
        'letsencrypt.org',
        'issue "letsencrypt.org"',
        '256 issue "a.b"',
        '-1 issue "a.b"',
        '0 is-sue "a"',
        '0 issue',
        '0 issue "a" "b"',
        '0 issue "a',
        '0 issue a b',
        '0 "issue" a',
        '0 issue "a"b"',
      ],
      /flags/,
    ],
    [
      'CAA',
      ['0 issue "a\\b"', '0 tbs "ü"', '0 tbs "a\nb"', `0 tbs "${'x'.repeat(2_001)}"`],
      /printable ASCII/,
    ],
    [
      'CAA',
      [
        '0 issue "not a name"',
        '0 issue "-a.b"',
        '0 issue "a..b"',
        '0 issuewild "*.a"',
        '0 issue "a.b; c"',
        '0 issue "a.b; c=d e"',
        '0 issue "https://a.b"',
      ],
      /certificate authority/,
    ],
    [
      'CAA',
      [
        '0 iodef "security@example.com"',
        '0 iodef "ftp://example.com"',
        '0 iodef "mailto:"',
        '0 iodef "https://"',
      ],
      /URL for iodef/,
    ],
    ['TXT', [''], /not be empty/],
    ['TXT', [text(64_001), 'ü'.repeat(32_001)], /at most 64000 bytes/],
  ])('%s %j', (type, values, message) => {
    for (const value of values) {
      expect(issuesOf(type, value), value).toEqual([
        { path: 'value', message: expect.stringMatching(message) },
      ])
    }
  })
})

describe('numbers', () => {
  it.each<[RecordType, ('priority' | 'weight' | 'port')[]]>([
    ['MX', ['priority']],
    ['SRV', ['priority', 'weight', 'port']],
  ])('%s needs %j, from 0 to 65535', (type, fields) => {
    for (const field of fields) {
      for (const wrong of [undefined, null, -1, 65_536, 1.5, Number.NaN]) {
        expect(issuesOf(type, 'a.example.com', { [field]: wrong })).toEqual([
          { path: field, message: `must be a number from 0 to 65535 for ${type}` },
        ])
      }
      for (const right of [0, 65_535]) {
        expect(parse(type, 'a.example.com', { [field]: right })).toMatchObject({ [field]: right })
      }
    }
  })

  it.each<[RecordType, string, string]>([
    ['A', '192.0.2.1', 'priority'],
    ['CNAME', 'a.example.net', 'port'],
    ['TXT', 'text', 'weight'],
    ['MX', 'mail.example.com', 'weight'],
    ['MX', 'mail.example.com', 'port'],
  ])('%s %s has no %s, but null is accepted', (type, value, field) => {
    expect(issuesOf(type, value, { [field]: 0 })).toEqual([
      { path: field, message: `is not a field of ${type}: omit it` },
    ])
    expect(parse(type, value, { [field]: null })).toMatchObject({ [field]: null })
  })

  it('all errors are reported at once', () => {
    const issues = issuesOf('MX', '192.0.2.1', { name: 'a b', priority: null, port: 1 })
    expect(issues.map(({ path }) => path)).toEqual(['name', 'priority', 'port', 'value'])
  })
})

describe('names that a type may not have', () => {
  it('CNAME at the apex, with ALIAS suggested', () => {
    expect(issuesOf('CNAME', 'a.example.net', { name: '@' })).toEqual([
      {
        path: 'type',
        message: expect.stringMatching(/ALIAS, which serves the addresses of a\.example\.net$/),
      },
    ])
    expect(parse('ALIAS', 'a.example.net', { name: '@' })).toMatchObject({ fqdn: 'example.com' })
  })

  it('NS at the apex, and at a wildcard', () => {
    expect(issuesOf('NS', 'ns1.example.net', { name: '@' })).toMatchObject([{ path: 'name' }])
    expect(issuesOf('NS', 'ns1.example.net', { name: 'example.com.' })).toMatchObject([{ path: 'name' }])
    expect(issuesOf('NS', 'ns1.example.net', { name: '*.sub' })).toMatchObject([{ path: 'name' }])
  })

  it('CNAME and ALIAS to themselves, however they are spelled', () => {
    expect(issuesOf('CNAME', 'WWW.example.com.', { name: 'www' })).toMatchObject([{ path: 'value' }])
    expect(issuesOf('ALIAS', 'example.com', { name: '@' })).toMatchObject([{ path: 'value' }])
    expect(issuesOf('CNAME', 'example.com', { name: 'www' })).toEqual([])
  })

  it('SRV at a name without service and protocol; a wildcard is allowed, as for MX', () => {
    for (const name of ['@', 'sip', '_sip', 'sip.tcp', '_sip.tcp', 'a._sip._tcp']) {
      expect(issuesOf('SRV', 'a.example.com', { name }), name).toMatchObject([{ path: 'name' }])
    }
    for (const name of ['_sip._tcp', '_sip._udp.shop', '*', '*._tcp']) {
      expect(issuesOf('SRV', 'a.example.com', { name }), name).toEqual([])
    }
    expect(issuesOf('MX', 'a.example.com', { name: '*' })).toEqual([])
  })

  it('an MX to . has priority 0', () => {
    expect(parse('MX', '.', { priority: 0 })).toMatchObject({ value: '.', priority: 0 })
    expect(issuesOf('MX', '.', { priority: 10 })).toMatchObject([{ path: 'priority' }])
  })
})
