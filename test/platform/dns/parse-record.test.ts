/** Which values each type accepts, and the canonical form that is stored. */
import { describe, expect, it } from 'vitest'
import type { RecordType } from '../../../src/lib/names/record-types.ts'
import { parseRecord } from '../../../src/platform/dns/parse-record.ts'
import type { RecordInput } from '../../../src/platform/dns/record-input.ts'

const zone = 'example.com'

/** The names that each type may have, and its numbers. */
const usual: Record<RecordType, Omit<RecordInput, 'value' | 'type'>> = {
  A: { name: '@' },
  AAAA: { name: '@' },
  ALIAS: { name: '@' },
  CAA: { name: '@' },
  CNAME: { name: 'www' },
  DS: { name: 'sub' },
  HTTPS: { name: '@', priority: 1 },
  LOC: { name: '@' },
  MX: { name: '@', priority: 10 },
  NAPTR: { name: '@' },
  NS: { name: 'sub' },
  PTR: { name: '1' },
  SRV: { name: '_sip._tcp', priority: 0, weight: 5, port: 5060 },
  SSHFP: { name: '@' },
  SVCB: { name: '_dns', priority: 1 },
  TLSA: { name: '_443._tcp' },
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
    [
      'DS',
      `60485  13 2 ${'AB'.repeat(16)} ${'cd'.repeat(16)}`,
      `60485 13 2 ${'ab'.repeat(16)}${'cd'.repeat(16)}`,
    ],
    ['DS', '0 0 255 00', '0 0 255 00'],
    ['HTTPS', '.', '.'],
    ['HTTPS', 'SVC.Example.NET. PORT=0443 alpn="h2,h3"', 'svc.example.net alpn=h2,h3 port=443'],
    ['HTTPS', '. key9 mandatory=port,alpn port=1 alpn=h2', '. mandatory=alpn,port alpn=h2 port=1 key9'],
    ['HTTPS', '. no-default-alpn alpn=h2', '. alpn=h2 no-default-alpn'],
    [
      'HTTPS',
      '. ipv6hint=2001:DB8:0::1,::1 ipv4hint=192.0.2.1',
      '. ipv4hint=192.0.2.1 ipv6hint=2001:db8::1,::1',
    ],
    ['HTTPS', '. ipv6hint=::192.0.2.1,::ffff:192.0.2.1', '. ipv6hint=::c000:201,::ffff:c000:201'],
    ['HTTPS', '. ech="AEX+DQ=="', '. ech="AEX+DQ=="'.replaceAll('"', '')],
    // RFC 9460, appendix D.2.
    ['SVCB', 'foo.example.org key667="hello\\210qoo"', 'foo.example.org key667="hello\\210qoo"'],
    ['SVCB', '. alpn=f\\\\\\092oo\\092,bar,h2', '. alpn="f\\\\\\\\oo\\\\,bar,h2"'],
    ['SVCB', '. key667', '. key667'],
    ['SVCB', '. key667=""', '. key667'],
    ['SVCB', '. "key667=a;b (c)"', '. key667="a;b (c)"'],
    ['SVCB', '. dohpath=/q{?dns} ohttp', '. key7=/q{?dns} key8'],
    ['TLSA', '3 1 1 0D6FCE3D', '3 1 1 0d6fce3d'],
    ['TLSA', '003 01 1 0d6f ce3d', '3 1 1 0d6fce3d'],
    ['SSHFP', '4 2 ABCD', '4 2 abcd'],
    ['PTR', 'Host.Example.NET.', 'host.example.net'],
    ['NAPTR', '100 010 s SIP+D2U "" _SIP._udp.Example.com.', '100 10 "s" "SIP+D2U" "" _sip._udp.example.com'],
    ['NAPTR', '1 2 "u" "E2U+sip" "!^(.)$!\\\\1ü!" .', '1 2 "u" "E2U+sip" "!^(.)$!\\\\1\\195\\188!" .'],
    ['NAPTR', '1 2 "" "" "" .', '1 2 "" "" "" .'],
    ['LOC', '52 N 4 53 E 0', '52 0 0.000 N 4 53 0.000 E 0.00m 1.00m 10000.00m 10.00m'],
    [
      'LOC',
      '0 0 0.5 s 180 w -100000m 0 0.05m 12345m',
      '0 0 0.500 S 180 0 0.000 W -100000.00m 0.00m 0.05m 10000.00m',
    ],
    [
      'LOC',
      '90 S 0 E 42849672.95m 90000000m',
      '90 0 0.000 S 0 0 0.000 E 42849672.95m 90000000.00m 10000.00m 10.00m',
    ],
    ['TXT', 'v=spf1 -all', 'v=spf1 -all'],
    ['TXT', '"quoted"', '"quoted"'],
    ['TXT', 'a\n\ttab; \\ ü 😀', 'a\n\ttab; \\ ü 😀'],
    ['TXT', ' ', ' '],
    ['TXT', '', ''],
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
    [
      'DS',
      ['', '1 13 2', '65536 13 9 ab', '1 256 9 ab', '1 13 9 abc', '1 13 9 xy', '1 13 -1 ab'],
      /a key tag, an/,
    ],
    ['DS', ['1 13 2 ab', `1 13 1 ${'ab'.repeat(32)}`, `1 13 4 ${'ab'.repeat(32)}`], /digest of \d\d bytes/],
    ['TLSA', ['', '3 1 1', '3 1 256 ab', '3 1 1 abc', '3 1 ab', '3 1 1 "ab"'], /a usage, a selector/],
    ['SSHFP', ['', '1 1', '1 256 ab', '1 1 abc', 'rsa 1 ab'], /an algorithm, a type of fingerprint/],
    ['PTR', ['', '.', '192.0.2.1.x y'], /only a host name/],
    ['HTTPS', ['', '. "', '. alpn=h2\\'], /a target, or \./],
    ['HTTPS', ['192.0.2.1'], /for addresses use/],
    ['HTTPS', ['svc'], /an absolute name/],
    ['HTTPS', ['h2,h3.example.net', '@'], /only a host name/],
    [
      'HTTPS',
      ['. alpn', '. alpn=', '. alpn=h2,', `. alpn=${text(256)}`, '. alpn="a\\\\"'],
      /as alpn: alpn=h2,h3$/,
    ],
    ['HTTPS', ['. port', '. port=65536', '. port=-1', '. port=1,2'], /as port/],
    ['HTTPS', ['. ipv4hint=', '. ipv4hint=1.2.3', '. ipv4hint=::1', '. ipv4hint=192.0.2.1,'], /as ipv4hint/],
    ['HTTPS', ['. ipv6hint=', '. ipv6hint=192.0.2.1', '. ipv6hint=fe80::1%eth0'], /as ipv6hint/],
    ['HTTPS', ['. ech=', '. ech=AAA', '. ech=A*AA'], /as ech/],
    ['HTTPS', ['. alpn=h2 no-default-alpn=1'], /no value as no-default-alpn/],
    ['HTTPS', ['. no-default-alpn'], /alpn beside no-default-alpn/],
    ['HTTPS', ['. mandatory=', '. mandatory=mandatory', '. mandatory=key9,key9 key9'], /as mandatory/],
    ['HTTPS', ['. mandatory=alpn', '. mandatory=alpn,port alpn=h2'], /which it says is mandatory/],
    ['HTTPS', ['. alpn=h2 alpn=h3', '. key9 key9=a', '. key7=a dohpath=a'], /once only/],
    ['HTTPS', ['. x=y', '. =', '. key65535', '. key007=a', '. key65536=a', '. h2'], /of these keys/],
    ['HTTPS', ['. key1=a', '. key0=a'], /instead of key/],
    ['HTTPS', ['. key9=\\256', '. key9=\\12'], /valid escapes/],
    ['HTTPS', [`. key9=${text(16_000)}`], /at most 16000 characters/],
    [
      'NAPTR',
      ['', '1 2 "" "" ""', '65536 1 "" "" "" .', '1 2 "" "" "" . .', '1 2 "\\256" "" "" .'],
      /order, preference/,
    ],
    ['NAPTR', [`1 2 "" "${text(256)}" "" .`], /at most 255 bytes/],
    ['NAPTR', ['1 2 "S-" "" "" .'], /letters and digits as flags/],
    ['NAPTR', ['1 2 "" "" "!a!b!" a.example.com'], /not both/],
    ['NAPTR', ['1 2 "" "" "" a'], /an absolute name/],
    [
      'LOC',
      [
        ...['', '1 N 1 E', '91 N 0 E 0m', '90 0 0.001 N 0 E 0m', '1 60 N 0 E 0m', '1 0 60 N 0 E 0m'],
        ...[
          '0 N 181 E 0m',
          '1 E 1 N 0m',
          '1 N 1 E 0m 1m 1m 1m 1m',
          '1 N 1 E high',
          '1 0 0.0001 N 0 E 0m',
          '-1 N 0 E 0m',
        ],
      ],
      /latitude, longitude and altitude/,
    ],
    ['LOC', ['0 N 0 E 42849672.96m', '0 N 0 E -100000.01m'], /an altitude from/],
    ['LOC', ['0 N 0 E 0m -1m', '0 N 0 E 0m 90000000.01m'], /sizes and precisions/],
    ['TXT', [text(64_001), 'ü'.repeat(32_001)], /at most 64000 bytes/],
  ])('%s %j', (type, values, message) => {
    for (const value of values) {
      expect(issuesOf(type, value), value).toEqual([
        { path: 'value', message: expect.stringMatching(message) },
      ])
    }
  })
})

describe('the strings of a TXT', () => {
  const of = (value: string, strings: string[]) => parse('TXT', value, { strings })
  const problemOf = (value: string, strings: string[]) => issuesOf('TXT', value, { strings })

  it.each([
    ['ab', ['a', 'b']],
    ['a', ['', 'a']],
    ['', ['', '']],
    [text(256), [text(1), text(255)]],
    ['ü'.repeat(200), ['ü'.repeat(100), 'ü'.repeat(100)]],
  ])('of %j may be %j', (value, strings) => {
    expect(of(value, strings)).toMatchObject({ value, strings })
  })

  it.each([
    ['', ['']],
    ['a', ['a']],
    [text(256), [text(255), text(1)]],
    [text(255), [text(255)]],
  ])('of %j are the usual ones as %j, like without any', (value, strings) => {
    expect(of(value, strings)).toEqual(parse('TXT', value))
    expect(of(value, strings)).toMatchObject({ strings: null })
  })

  it.each([
    ['ab', ['a'], /make up the value/],
    ['', [], /make up the value/],
    [text(256), [text(256)], /at most 255 bytes of UTF-8 each/],
    ['ü'.repeat(128), ['ü'.repeat(128)], /at most 255 bytes/],
    [text(64_000), [...Array(250).fill(text(255)), ...text(250)], /at most 64251 bytes/],
  ])('of %j can not be %j', (value, strings, message) => {
    expect(problemOf(value, strings)).toEqual([{ path: 'strings', message: expect.stringMatching(message) }])
  })

  it('are of no other type', () => {
    expect(issuesOf('A', '192.0.2.1', { strings: ['192.0.2.1'] })).toEqual([
      { path: 'strings', message: 'is not a field of A: omit it' },
    ])
  })
})

describe('numbers', () => {
  it.each<[RecordType, ('priority' | 'weight' | 'port')[]]>([
    ['HTTPS', ['priority']],
    ['MX', ['priority']],
    ['SVCB', ['priority']],
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

  it('DS at the apex, and at a wildcard', () => {
    for (const name of ['@', '*.sub']) {
      expect(issuesOf('DS', '1 13 9 ab', { name }), name).toMatchObject([{ path: 'name' }])
    }
  })

  it('SVCB with priority 0 is an alias, without parameters and not of itself', () => {
    expect(parse('SVCB', '.', { priority: 0 })).toMatchObject({ value: '.', priority: 0 })
    expect(issuesOf('SVCB', '. alpn=h2', { priority: 0 })).toMatchObject([{ path: 'value' }])
    expect(issuesOf('HTTPS', 'example.com', { priority: 0 })).toMatchObject([{ path: 'value' }])
    expect(issuesOf('HTTPS', 'example.com', { priority: 1 })).toEqual([])
  })

  it('an MX to . has priority 0', () => {
    expect(parse('MX', '.', { priority: 0 })).toMatchObject({ value: '.', priority: 0 })
    expect(issuesOf('MX', '.', { priority: 10 })).toMatchObject([{ path: 'priority' }])
  })
})
