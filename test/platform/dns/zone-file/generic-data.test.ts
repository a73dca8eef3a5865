/** Records in the generic form of RFC 3597, as programs write types that they don't know. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { type RecordType, recordTypes } from '../../../../src/lib/names/record-types.ts'
import { parseRecord } from '../../../../src/platform/dns/parse-record.ts'
import type { RecordInput } from '../../../../src/platform/dns/record-input.ts'
import { typeNumbers } from '../../../../src/platform/dns/type-numbers.ts'
import { formatPlace } from '../../../../src/platform/dns/types/loc-place.ts'
import { rules } from '../../../../src/platform/dns/types/rules.ts'
import { parseZone } from '../../../../src/platform/dns/zone-file/parse.ts'
import { readZone } from '../../../../src/platform/dns/zone-file/read-zone-file.ts'
import { startMessage } from '../../../../src/roles/nameserver/wire/byte-writer.ts'

const apex = 'example.com'

function recordIn(text: string) {
  const { records, skipped } = atOnce(readZone(text, apex, true))
  return records[0] ?? skipped[0]
}

const textBytes = (text: string) =>
  `${Buffer.from(text).length.toString(16).padStart(2, '0')}${Buffer.from(text).toString('hex')}`
const fooExampleCom = '03666f6f 076578616d706c65 03636f6d 00'

describe('is read as the type that it is of', () => {
  it.each([
    ['a TYPE1 \\# 4 C0000201', { type: 'A', value: '192.0.2.1' }],
    ['a CLASS1 TYPE1 \\# 4 ( c0 00\n 02 01 ) ; one', { type: 'A', value: '192.0.2.1', comment: 'one' }],
    ['a 60 IN A \\# 4 c000 0201', { type: 'A', value: '192.0.2.1', ttl: 60 }],
    ['a type1 \\# 4 C0000201', { type: 'A', value: '192.0.2.1' }],
    ['a TYPE1 192.0.2.1', { type: 'A', value: '192.0.2.1' }],
    ['a TYPE28 \\# 16 20010db8000000000000000000000007', { type: 'AAAA', value: '2001:db8::7' }],
    ['a AAAA \\# 16 00000000000000000000ffffc0000201', { type: 'AAAA', value: '::ffff:192.0.2.1' }],
    ['a AAAA \\# 16 000000000000000000000000c0000201', { type: 'AAAA', value: '::192.0.2.1' }],
    [`a TYPE5 \\# 17 ${fooExampleCom}`, { type: 'CNAME', value: 'foo.example.com' }],
    [`a CNAME \\# 17 03464f4f 074558414d504c45 03434f4d 00`, { type: 'CNAME', value: 'foo.example.com' }],
    [`a TYPE2 \\# 17 ${fooExampleCom}`, { type: 'NS', value: 'foo.example.com' }],
    [`a TYPE12 \\# 17 ${fooExampleCom}`, { type: 'PTR', value: 'foo.example.com' }],
    [`a TYPE15 \\# 19 000a ${fooExampleCom}`, { type: 'MX', priority: 10, value: 'foo.example.com' }],
    ['a TYPE15 \\# 3 000000', { type: 'MX', priority: 0, value: '.' }],
    [
      `_sip._tcp TYPE33 \\# 23 0001 0002 13c4 ${fooExampleCom}`,
      { type: 'SRV', priority: 1, weight: 2, port: 5060, value: 'foo.example.com' },
    ],
    [
      `a TYPE257 \\# 22 00 ${textBytes('issue')} ${Buffer.from('letsencrypt.org').toString('hex')}`,
      { type: 'CAA', value: '0 issue "letsencrypt.org"' },
    ],
    ['a TYPE16 \\# 4 03616263', { type: 'TXT', value: 'abc', strings: null }],
    ['a TXT \\# 6 0161 0162 00 00', { type: 'TXT', value: 'ab', strings: ['a', 'b', '', ''] }],
    ['a TXT \\# 1 00', { type: 'TXT', value: '' }],
    ['a TXT \\# 4 03226122', { type: 'TXT', value: '"a"', strings: null }],
    ['a TYPE99 \\# 4 03616263', { type: 'TXT', value: 'abc' }],
    ['a TYPE52 \\# 5 03010100ff', { type: 'TLSA', value: '3 1 1 00ff' }],
    ['a TYPE44 \\# 4 0402 ABCD', { type: 'SSHFP', value: '4 2 abcd' }],
    ['a TYPE43 \\# 5 ec45 0d 09 ab', { type: 'DS', value: '60485 13 9 ab' }],
    [
      `a TYPE35 \\# 17 0064 000a ${textBytes('u')} ${textBytes('E2U')} ${textBytes('!a!b!')} 00`,
      { type: 'NAPTR', value: '100 10 "u" "E2U" "!a!b!" .' },
    ],
    // RFC 1876, appendix A.
    [
      'a TYPE29 \\# 16 00 33 16 13 89 17 2d d0 70 be 15 f0 00 98 8d 20',
      { type: 'LOC', value: '42 21 54.000 N 71 6 18.000 W -24.00m 30.00m 10000.00m 10.00m' },
    ],
    // As dig 9.10 prints it.
    [
      '@ 300 IN TYPE65 \\# 10 00 01 00 00 01 00 03 02 68 32',
      { type: 'HTTPS', priority: 1, value: '. alpn=h2' },
    ],
    ['@ HTTPS \\# 10 00010000010003026832', { type: 'HTTPS', priority: 1, value: '. alpn=h2' }],
    // RFC 9460, appendix D.
    [`a TYPE65 \\# 19 0000 ${fooExampleCom}`, { type: 'HTTPS', priority: 0, value: 'foo.example.com' }],
    ['a TYPE64 \\# 3 000100', { type: 'SVCB', priority: 1, value: '.' }],
    [`a SVCB \\# 25 0010 ${fooExampleCom} 000300020035`, { priority: 16, value: 'foo.example.com port=53' }],
    [
      `a SVCB \\# 32 0001 ${fooExampleCom} 029b 0009 68656c6c6fd2716f6f`,
      { value: 'foo.example.com key667="hello\\210qoo"' },
    ],
    [
      `a SVCB \\# 55 0001 ${fooExampleCom} 00060020 ` +
        '20010db8000000000000000000000001 20010db8000000000000000000530001',
      { value: 'foo.example.com ipv6hint=2001:db8::1,2001:db8::53:1' },
    ],
    [
      `a SVCB \\# 48 0010 ${fooExampleCom} 0000000400010004 00010009026832 0568332d3139 00040004c0000201`,
      { value: 'foo.example.com mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1' },
    ],
    [
      `a SVCB \\# 35 0010 ${fooExampleCom} 0001000c 08665c6f6f2c626172 026832`,
      { value: 'foo.example.com alpn="f\\\\\\\\oo\\\\,bar,h2"' },
    ],
  ])('%s', (text, record) => {
    expect(recordIn(text)).toMatchObject(record)
  })

  it('SOA, and NS of the zone itself, are the service’s own', () => {
    const text = `@ TYPE6 \\# 3 000000\n@ TYPE2 \\# 17 ${fooExampleCom}\n`
    const { records, skipped } = atOnce(readZone(text, apex))
    expect(records).toEqual([])
    expect(skipped.map(({ message }) => message)).toEqual([
      'SOA of example.com: the service has its own',
      'NS of example.com: the service has its own',
    ])
  })

  it('a text that is only written alike is a text', () => {
    expect(recordIn('a TXT "\\#" 4 03616263')).toMatchObject({ value: '#403616263' })
    expect(recordIn('a TXT 4 \\# 03616263')).toMatchObject({ value: '4#03616263' })
  })
})

describe('is refused with the line and the reason', () => {
  it.each([
    ['A \\#', 'A takes \\#, the number of bytes, and these in hexadecimal, two digits each'],
    ['A \\# four C0000201', 'A takes \\#, the number of bytes'],
    ['A \\# -4 C0000201', 'A takes \\#, the number of bytes'],
    ['A \\# "4" C0000201', 'A takes \\#, the number of bytes'],
    ['A \\# 4 "C0000201"', 'A takes \\#, the number of bytes'],
    ['A \\# 4 C000020', 'A takes \\#, the number of bytes'],
    ['TXT \\# 4', 'TXT has the length 4, but its data has the length 0'],
    ['A \\# 4 C00002xx', 'A takes \\#, the number of bytes'],
    ['TYPE1 \\# 5 C0000201', 'A has the length 5, but its data has the length 4'],
    ['TYPE1 \\# 3 C0000201', 'A has the length 3, but its data has the length 4'],
    ['TYPE1 \\# 3 C00002', 'A ends too early'],
    ['TYPE1 \\# 5 C000020100', 'A has bytes behind its end'],
    ['TYPE1 \\# 0', 'A ends too early'],
    ['AAAA \\# 4 C0000201', 'AAAA ends too early'],
    ['AAAA \\# 17 20010db800000000000000000000000700', 'AAAA has bytes behind its end'],
    ['CNAME \\# 3 016101', 'CNAME ends too early'],
    ['CNAME \\# 4 01610001', 'CNAME has bytes behind its end'],
    ['CNAME \\# 2 c00c', 'CNAME has a compressed name, which points into a message'],
    [`CNAME \\# 66 40${'61'.repeat(64)}00`, 'CNAME has a label of more than 63 bytes'],
    [`CNAME \\# 257 ${`3f${'61'.repeat(63)}`.repeat(4)}00`, 'CNAME has a name of more than 255 bytes'],
    ['CNAME \\# 5 03612e6200', 'CNAME has a name that needs escapes'],
    ['CNAME \\# 3 01fc00', 'CNAME has a name that needs escapes'],
    ['CNAME \\# 1 00', 'a.example.com CNAME: value must be only a host name'],
    ['CNAME \\# 5 03614062 00', 'a.example.com CNAME: value must be only a host name'],
    ['MX \\# 1 00', 'MX ends too early'],
    ['MX \\# 2 000a', 'MX ends too early'],
    ['MX \\# 3 000a00', 'a.example.com MX: priority must be 0'],
    ['CAA \\# 2 0005', 'CAA ends too early'],
    ['CAA \\# 2 0000', 'CAA has a tag that is not letters and digits'],
    ['CAA \\# 4 00026120', 'CAA has a tag that is not letters and digits'],
    [`CAA \\# 8 00 ${textBytes('tbs')} 61ff62`, 'a.example.com CAA: value must have a value of at most'],
    ['TXT \\# 0', 'TXT ends too early'],
    ['TXT \\# 2 0261', 'TXT ends too early'],
    ['TXT \\# 2 01ff', 'TXT is not UTF-8'],
    ['TXT \\# 2 0100', 'a.example.com TXT: value must not contain U+0000'],
    [`TXT \\# 1001 ${'00'.repeat(1_001)}`, 'a.example.com TXT: strings must be at most 1000'],
    ['TLSA \\# 3 030101', 'TLSA ends too early'],
    ['DS \\# 5 ec450d02ab', 'a.example.com DS: value must have a digest of 32 bytes'],
    ['NAPTR \\# 7 00640064000000', 'NAPTR ends too early'],
    [`LOC \\# 16 01${'00'.repeat(15)}`, 'LOC has version 1, of which only 0 is known'],
    [`LOC \\# 16 00a0${'00'.repeat(14)}`, 'LOC has a size or precision that is no digit and power of ten'],
    [`LOC \\# 16 00121612${'ff'.repeat(12)}`, 'LOC has a latitude of more than 90 degrees'],
    ['HTTPS \\# 2 0001', 'HTTPS ends too early'],
    ['HTTPS \\# 9 000100000100030268', 'HTTPS ends too early'],
    ['HTTPS \\# 13 000100 00030002 0035 0001', 'HTTPS has the length 13, but its data has the length 11'],
    ['HTTPS \\# 11 000100 00030002 0035 0001', 'HTTPS ends too early'],
    [
      'HTTPS \\# 15 000100 000300020035 000300020035',
      'HTTPS has parameters that are not in the order of their keys',
    ],
    ['HTTPS \\# 10 000100 00010003 056832', 'HTTPS has a malformed value of alpn'],
    ['HTTPS \\# 7 000100 00010000', 'HTTPS has a malformed value of alpn'],
    ['HTTPS \\# 10 000100 00030003 003500', 'HTTPS has a malformed value of port'],
    ['HTTPS \\# 11 000100 00030004 00350036', 'HTTPS has a malformed value of port'],
    ['HTTPS \\# 10 000100 00040003 c00002', 'HTTPS has a malformed value of ipv4hint'],
    ['HTTPS \\# 11 000100 00060004 c0000201', 'HTTPS has a malformed value of ipv6hint'],
    ['HTTPS \\# 8 000100 00020001 00', 'HTTPS has a malformed value of no-default-alpn'],
    ['HTTPS \\# 11 000100 00000004 00040003', 'HTTPS has a malformed value of mandatory'],
    ['HTTPS \\# 7 000100 ffff0000', 'HTTPS has a malformed value of key65535'],
    [
      'HTTPS \\# 9 000100 00000002 0003',
      'a.example.com HTTPS: value must have port, which it says is mandatory',
    ],
    ['ALIAS \\# 1 00', 'ALIAS has no form in messages'],
    ['TYPE65534 \\# 0', "TYPE65534 records can't be kept"],
    ['TYPE39 \\# 1 00', "TYPE39 records can't be kept"],
    ['TYPE65536 \\# 1 00', "TYPE65536 records can't be kept"],
    ['DNAME \\# 1 00', "DNAME records can't be kept"],
  ])('%s', (data, message) => {
    expect(recordIn(`\na ${data}`)).toMatchObject({ line: 2, message: expect.stringContaining(message) })
  })

  it('a class of another number', () => {
    expect(recordIn('a CLASS3 TYPE1 \\# 4 C0000201')).toMatchObject({
      message: 'is of class CLASS3: only IN can be kept',
    })
  })
})

const number = (max: number) => fc.nat({ max })
const hex = (minLength: number) =>
  fc.uint8Array({ minLength, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const label = fc.string({ unit: fc.constantFrom(...'abcxyz019-_'), minLength: 1, maxLength: 63 })
const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, 'a'].join('.'))
const target = fc.oneof(name, fc.constant('.'))
const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '"', '\\', ' ', ';', '\n', '\x7f'), maxLength })
const escaped = (maxLength: number) =>
  text(maxLength).map((each) => `"${each.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\010')}"`)
const power = fc
  .tuple(number(9), number(9))
  .map(([digit, exponent]) => (digit === 0 ? 0 : digit * 16 + exponent))
const angle = (degrees: number) =>
  fc.integer({ min: 2 ** 31 - degrees * 3_600_000, max: 2 ** 31 + degrees * 3_600_000 })
const params = fc
  .record(
    {
      alpn: fc.constantFrom('h2', 'h2,h3', '"f\\\\\\\\oo\\\\,bar"'),
      port: number(65_535).map(String),
      ipv4hint: fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 }).map((each) => each.join(',')),
      ech: hex(1).map((each) => `"${Buffer.from(each, 'hex').toString('base64')}"`),
      ipv6hint: fc.array(fc.ipV6(), { minLength: 1, maxLength: 3 }).map((each) => each.join(',')),
      key667: escaped(60),
      mandatory: fc.constant('key9'),
      key9: fc.constant('1'),
    },
    { requiredKeys: ['key9'] },
  )
  .map((each) => Object.entries(each).map(([key, value]) => `${key}=${value}`))
const bound = fc.record({
  priority: fc.integer({ min: 1, max: 65_535 }),
  value: fc.tuple(target, params).map(([first, rest]) => [first, ...rest].join(' ')),
})
const single = (value: fc.Arbitrary<string>) => fc.record({ value })

type Given = Partial<RecordInput>

/** Records of each type that is served. */
const records: Record<Exclude<RecordType, 'ALIAS'>, fc.Arbitrary<Given>> = {
  A: single(fc.ipV4()),
  AAAA: single(fc.ipV6()),
  CAA: single(
    fc
      .tuple(number(255), fc.constantFrom('issue "ca.example; a=b"', 'tbs "any  ; = thing"', 'tbs ""'))
      .map(([flags, rest]) => `${flags} ${rest}`),
  ),
  CNAME: single(name),
  DS: single(
    fc.tuple(number(65_535), number(255), hex(1)).map(([tag, by, digest]) => `${tag} ${by} 9 ${digest}`),
  ),
  HTTPS: bound,
  LOC: single(
    fc
      .record({
        latitude: angle(90),
        longitude: angle(180),
        altitude: number(2 ** 32 - 1),
        size: power,
        horizontal: power,
        vertical: power,
      })
      .map(formatPlace),
  ),
  MX: fc.record({ priority: number(65_535), value: name }),
  NAPTR: single(
    fc.oneof(
      fc
        .tuple(number(65_535), escaped(60), name)
        .map(([order, services, next]) => `${order} 1 "S" ${services} "" ${next}`),
      fc.tuple(number(65_535), escaped(60)).map(([order, expression]) => `${order} 1 "u" "" ${expression} .`),
    ),
  ),
  NS: single(name),
  PTR: single(name),
  SRV: fc.record({ priority: number(65_535), weight: number(65_535), port: number(65_535), value: target }),
  SSHFP: single(fc.tuple(number(255), hex(1)).map(([algorithm, print]) => `${algorithm} 2 ${print}`)),
  SVCB: bound,
  TLSA: single(fc.tuple(number(255), hex(1)).map(([usage, data]) => `${usage} 1 0 ${data}`)),
  TXT: fc.oneof(
    single(text(700)),
    fc
      .array(text(60), { minLength: 1, maxLength: 8 })
      .map((strings) => ({ value: strings.join(''), strings })),
  ),
}

describe('what the name server writes is read as the same record', () => {
  it.each(Object.entries(records))('%s', (named, given) => {
    const type = recordTypes.find((each) => each === named) ?? 'A'
    fc.assert(
      fc.property(given, (fields) => {
        const wanted = parseRecord({ name: '_a._tcp', type, value: '', ...fields }, apex)
        if ('issues' in wanted) throw new Error(JSON.stringify([fields, wanted]))
        const writer = startMessage()
        rules[type].wire?.write(writer, wanted)
        const bytes = writer.copy()
        const words = bytes.toString('hex').match(/.{1,56}/g) ?? []
        const line = `_a._tcp TYPE${typeNumbers[type]} \\# ${bytes.length} ( ${words.join('\n ')} )`
        expect(recordIn(line)).toMatchObject(wanted)
      }),
    )
  })

  it('each type that is served has records here', () => {
    const served = recordTypes.filter((type) => rules[type].wire)
    expect(Object.keys(records).toSorted()).toEqual(served)
  })
})

it('any bytes are a record or a problem', () => {
  const types = recordTypes.filter((type) => type !== 'ALIAS')
  const data = fc.uint8Array({ maxLength: 60 })
  fc.assert(
    fc.property(fc.constantFrom(...types), data, (type, bytes) => {
      const line = `a ${type} \\# ${bytes.length} ${Buffer.from(bytes).toString('hex')}`
      const { records: read, problems } = atOnce(parseZone(line, apex))
      expect(read.length + problems.length).toBe(1)
    }),
    { numRuns: 5_000 },
  )
})
