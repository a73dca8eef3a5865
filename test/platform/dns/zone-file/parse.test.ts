/** Parsing zone files as other programs write them. */
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { parseZone } from '../../../../src/platform/dns/zone-file/parse.ts'

const apex = 'example.com'

/** Each record as one line: name, TTL, type, numbers, value and comment. */
function formatted(text: string): string[] {
  const { records, problems } = atOnce(parseZone(text, apex))
  expect(problems).toEqual([])
  return records.map(({ fqdn, ttl, type, priority, weight, port, value, comment }) =>
    [fqdn, ttl, type, priority, weight, port, value, comment && `; ${comment}`]
      .filter((part) => part !== undefined)
      .join(' '),
  )
}

const problems = (text: string) =>
  atOnce(parseZone(text, apex)).problems.map(({ line, message }) => `line ${line}: ${message}`)

describe('a zone file', () => {
  it('may omit names, TTLs and classes, and have parentheses and comments', () => {
    const text = `; a zone written by hand
$TTL 1h30m
$ORIGIN Example.COM.
@  IN  SOA ns1 host\\.master ( 2024010101 ; serial
        3h 15m  ; refresh, retry
        1w 300 )
        NS    ns1
        IN NS ns2.example.net.
        MX    10 mail   ; the one in the cellar
        MX    (20
               mail2.Example.NET.) ; elsewhere
ns1     A     192.0.2.1
        600 IN AAAA 2001:db8::1
mail IN 2d A  192.0.2.2
*.w     CNAME www
_sip._tcp 300 SRV 10 60 5060 sip

$ORIGIN eu
www     A     192.0.2.3
@       CAA   0 issue "ca.example; policy=\\"ev\\""
$ORIGIN example.com.
sub     NS    ns.sub
`
    expect(formatted(text)).toEqual([
      'example.com 5400 MX 10 mail.example.com ; the one in the cellar',
      'example.com 5400 MX 20 mail2.example.net ; elsewhere',
      'ns1.example.com 5400 A 192.0.2.1',
      'ns1.example.com 600 AAAA 2001:db8::1',
      'mail.example.com 172800 A 192.0.2.2',
      '*.w.example.com 5400 CNAME www.example.com',
      '_sip._tcp.example.com 300 SRV 10 60 5060 sip.example.com',
      'www.eu.example.com 5400 A 192.0.2.3',
      'eu.example.com 5400 CAA 0 issue "ca.example; policy=\\"ev\\""',
      'sub.example.com 5400 NS ns.sub.example.com',
    ])
    expect(atOnce(parseZone(text, apex)).skipped).toEqual([
      { line: 4, message: 'SOA of example.com: the service has its own' },
      { line: 7, message: 'NS of example.com: the service has its own' },
      { line: 8, message: 'NS of example.com: the service has its own' },
    ])
  })

  it('may be a transfer as dig prints it', () => {
    const text = `
; <<>> DiG 9.18 <<>> @192.0.2.53 example.com AXFR
; (1 server found)
;; global options: +cmd
example.com.\t\t3600\tIN\tSOA\tns1.example.com. hostmaster.example.com. 7 3600 600 604800 300
example.com.\t\t3600\tIN\tNS\tns1.example.com.
example.com.\t\t300\tIN\tTXT\t"v=spf1 -all"
example.com.\t\t300\tIN\tMX\t0 .
a.example.com.\t\t300\tIN\tCNAME\tb.example.org.
example.com.\t\t3600\tIN\tSOA\tns1.example.com. hostmaster.example.com. 7 3600 600 604800 300
;; Query time: 0 msec
;; XFR size: 6 records (messages 1, bytes 400)
`
    expect(formatted(text)).toEqual([
      'example.com 300 TXT v=spf1 -all',
      'example.com 300 MX 0 .',
      'a.example.com 300 CNAME b.example.org',
    ])
  })

  it('may be an export of another provider', () => {
    const text = [
      ';;',
      ';; Domain:     example.com.',
      ';; SOA Record',
      'example.com\t3600\tIN\tSOA\tada.ns.example.net. dns.example.net. 2049 10000 2400 604800 3600',
      ';; CNAME Records',
      'www.example.com.\t1\tIN\tCNAME\texample.com. ; tags=proxied:true',
      '\\042.example.com. 300 IN A 192.0.2.9',
      '$ORIGIN .',
      'plain.example.com 60 IN\tTXT "x"',
    ].join('\r\n')
    const { records, skipped, problems: wrong } = atOnce(parseZone(text, apex))
    expect(wrong).toEqual([])
    expect(skipped).toEqual([{ line: 4, message: 'SOA of example.com: the service has its own' }])
    expect(records.map(({ fqdn, ttl, type, comment }) => ({ fqdn, ttl, type, comment }))).toEqual([
      { fqdn: 'www.example.com', ttl: 1, type: 'CNAME', comment: 'tags=proxied:true' },
      { fqdn: '*.example.com', ttl: 300, type: 'A', comment: undefined },
      { fqdn: 'plain.example.com', ttl: 60, type: 'TXT', comment: undefined },
    ])
  })

  it.each([
    ['a TXT "one" "two" three', 'onetwothree'],
    ['a TXT "a;b (c)" ; note', 'a;b (c)'],
    ['a TXT "say \\"hi\\" \\\\ \\195\\164 ä"', 'say "hi" \\ ä ä'],
    ['a TXT ( "one"\n  "two" ) ; note', 'onetwo'],
    ['a TXT a\\;b\\"c', 'a;b"c'],
    ['a TXT ""', ''],
    ['a TXT \\#4', '#4'],
  ])('has in %j the text %j', (text, value) => {
    const [record] = atOnce(parseZone(text, apex)).records
    expect(record?.value).toBe(value)
  })

  it.each([
    ['a HTTPS 1 . alpn="h2,h3" port=443', '. "alpn=h2,h3" "port=443"'],
    ['a HTTPS ( 1 svc\n  key667="a b;c" )', 'svc.example.com "key667=a b;c"'],
    ['a SVCB 0 Svc.Example.NET.', 'svc.example.net'],
    ['a SVCB 1 . "alpn=h2"', '. "alpn=h2"'],
    ['_443._tcp TLSA 3 1 1 ( 0d6f\n ce3d )', '3 1 1 0d6f ce3d'],
    ['a SSHFP 1 1 bf6b', '1 1 bf6b'],
    ['a DS 1 13 9 AB CD', '1 13 9 AB CD'],
    ['a NAPTR 1 2 S SIP+D2U "" _sip._udp', '1 2 "S" "SIP+D2U" "" _sip._udp.example.com'],
    ['a NAPTR 1 2 "u" "x" "!^(.)$!\\\\1!" .', '1 2 "u" "x" "!^(.)$!\\\\1!" .'],
    ['a PTR host', 'host.example.com'],
    ['a LOC 52 22 23 N 4 53 32 E -2m', '52 22 23 N 4 53 32 E -2m'],
  ])('has in %j the value %j', (text, value) => {
    const { records, problems: wrong } = atOnce(parseZone(text, apex))
    expect(wrong).toEqual([])
    expect(records.map((record) => record.value)).toEqual([value])
  })

  it.each([
    ['a A 192.0.2.1', 300],
    ['$TTL 60\na A 192.0.2.1', 60],
    ['b 5 TXT x\na A 192.0.2.1', 5],
    ['$TTL 60\nb 5 TXT x\na A 192.0.2.1', 60],
    ['a 1w2d3h4m5s A 192.0.2.1', 788_645],
    ['a 2147483647 A 192.0.2.1', 2_147_483_647],
    ['$TTL 1D\na A 192.0.2.1', 86_400],
  ])('has in %j the TTL %i', (text, ttl) => {
    expect(atOnce(parseZone(text, apex)).records.at(-1)?.ttl).toBe(ttl)
  })

  it.each([
    ['a [AGE:3636591] 1200 A 192.0.2.1', 'A', '[AGE:3636591], in which Microsoft DNS keeps the age'],
    ['a [Aging:3636591] 1200 IN A 192.0.2.1', 'A', '[Aging:3636591], in which Microsoft DNS keeps the age'],
    ['a SPF "v=spf1 -all"', 'TXT', 'SPF records are obsolete (RFC 7208, section 3.1): it becomes TXT'],
    ['a TXT "\\195" "\\188"', 'TXT', 'its strings are joined'],
    [`a TXT "${'x'.repeat(256)}" "y"`, 'TXT', 'its strings are joined'],
  ])('may have %j, with a note', (text, type, note) => {
    const { records, problems: wrong } = atOnce(parseZone(text, apex))
    expect(wrong).toEqual([])
    expect(records).toMatchObject([{ type, notes: [expect.stringContaining(note)] }])
  })

  it.each([
    ['a TXT "one" "two" three', ['one', 'two', 'three']],
    ['a TXT "" "a"', ['', 'a']],
    ['a TXT "one"', undefined],
    [`a TXT "${'x'.repeat(255)}" "y"`, undefined],
    // Cut within a character, as usual strings are.
    [`a TXT "${'x'.repeat(254)}\\195" "\\188"`, undefined],
  ])('has in %j the strings %j', (text, strings) => {
    expect(atOnce(parseZone(text, apex)).records).toMatchObject([{ notes: [] }])
    expect(atOnce(parseZone(text, apex)).records[0]?.strings).toEqual(strings)
  })

  it.each(['4705', '3600', 'app', 'type65', 'mx', 'in', 'ch', 'any'])(
    'may have the name %s, as a type or a TTL is',
    (name) => {
      expect(formatted(`${name} CNAME zero\n`)).toEqual([`${name}.example.com 300 CNAME zero.example.com`])
    },
  )

  it('may have ALIAS in a comment, or as a type', () => {
    const text = `; ALIAS @ 300 edge.example.net. ; to the sites
; ALIAS www 60 edge
x ALIAS edge
; ALIAS records are explained elsewhere`
    expect(formatted(text)).toEqual([
      'example.com 300 ALIAS edge.example.net ; to the sites',
      'www.example.com 60 ALIAS edge.example.com',
      'x.example.com 300 ALIAS edge.example.com',
    ])
  })

  it('may be empty', () => {
    expect(atOnce(parseZone('', apex))).toEqual({ records: [], skipped: [], problems: [] })
    expect(atOnce(parseZone('\uFEFF; nothing\n\n   \n', apex)).problems).toEqual([])
  })
})

describe('errors in a zone file are reported with their line', () => {
  it.each([
    ['\n$INCLUDE /etc/passwd', 'line 2: $INCLUDE is not supported: only $ORIGIN and $TTL'],
    ['$GENERATE 1-9 h$ A 192.0.2.$', 'line 1: $GENERATE is not supported: only $ORIGIN and $TTL'],
    ['$TTL soon', 'line 1: $TTL takes a number of seconds'],
    ['$ORIGIN', 'line 1: $ORIGIN takes a name'],
    ['  A 192.0.2.1', 'line 1: begins with blank space, but there is no name before it'],
    ['a', 'line 1: has no type of a record'],
    ['a 192.0.2.1', 'line 1: 192.0.2.1 is not a TTL'],
    ['a 99999999999 A 192.0.2.1', 'line 1: 99999999999 is not a TTL'],
    [`a ${'9'.repeat(301)} A 192.0.2.1`, `line 1: ${'9'.repeat(300)}… is not a TTL`],
    [`${'a'.repeat(301)}. A 192.0.2.1`, `line 1: ${'a'.repeat(300)}… is not at or below`],
    ['a 4294967296 A 192.0.2.1', 'line 1: 4294967296 is not a TTL'],
    ['a [TTL:5] A 192.0.2.1', 'line 1: [TTL:5] is a mark of another program, not of zone files: remove it'],
    ['@ WINS L2 C900 ( 192.0.2.1 )', 'line 1: WINS has Microsoft DNS look names up by NetBIOS'],
    ['@ WINSR L2 C900 example.com.', 'line 1: WINSR has Microsoft DNS look addresses up'],
    ['a\\.b A 192.0.2.1\n A 192.0.2.2', "line 2: belongs to the name of a line before it that can't be read"],
    ['a TXT "x\n A 192.0.2.2', "line 2: belongs to the name of a line before it that can't be read"],
    ['a CH A 192.0.2.1', 'line 1: is of class CH: only IN can be kept'],
    ['a A 192.0.2.1 192.0.2.2', 'line 1: A takes an IPv4 address, and nothing else'],
    ['a MX mail', 'line 1: MX takes a priority, a name, and nothing else'],
    ['a MX ten mail', 'line 1: MX needs a whole number as priority'],
    ['a SRV 1 -1 3 x', 'line 1: SRV needs a whole number as weight'],
    ['a HTTPS . alpn=h2', 'line 1: HTTPS needs a whole number as priority'],
    ['a HTTPS 1 . alpn="\\999"', 'line 1: HTTPS has an invalid escape'],
    [
      'a NAPTR 1 2 "" "" .',
      'line 1: NAPTR takes an order, a preference, flags, services, a regular expression',
    ],
    ['a NAPTR 1 2 "\\9" "" "" .', 'line 1: NAPTR has an invalid escape'],
    ['a NAPTR 1 2 "" "" "" a\\.b', 'line 1: NAPTR has a name that needs escapes'],
    ['a TXT', 'line 1: TXT takes one or more texts, and nothing else'],
    ['a TXT "\\999"', 'line 1: TXT has an invalid escape'],
    ['a TXT "\\1"', 'line 1: TXT has an invalid escape'],
    ['a TXT "\\255"', 'line 1: TXT is not UTF-8'],
    ['a\\.b A 192.0.2.1', 'line 1: a\\.b is not a valid record name here'],
    ['a CNAME b\\.c', 'line 1: CNAME has a name that needs escapes'],
    ['other.org. A 192.0.2.1', 'line 1: other.org is not at or below example.com'],
    ['badexample.com. A 192.0.2.1', 'line 1: badexample.com is not at or below example.com'],
    ['x\n\na TXT "open\nb A 192.0.2.1', 'line 3: the quote is not closed on its line'],
    ['a TXT x\\', 'line 1: ends with a backslash'],
    ['a A ) 192.0.2.1', 'line 1: closes a parenthesis that is not open'],
    ['\na MX (10\n mail', 'line 2: the parenthesis is not closed'],
    ['a "A" 192.0.2.1', 'line 1: has no type of a record'],
  ])('%j: %s', (text, message) => {
    expect(problems(text)).toContainEqual(expect.stringContaining(message))
  })

  it('all at once', () => {
    expect(
      problems('a A 192.0.2.1\nb DNAME x\nc HINFO x y\nd TXT "x\ne A 192.0.2.2').map(
        (each) => each.split(': ')[0],
      ),
    ).toEqual(['line 2', 'line 3', 'line 4'])
  })

  it('a hundred at most', () => {
    expect(problems('a DNAME b\n'.repeat(1_000))).toHaveLength(100)
  })

  it('10,001 records are one error', () => {
    const records = (count: number) =>
      Array.from({ length: count }, (_, index) => `a${index} TXT x\n`).join('')
    expect(problems(records(10_000))).toEqual([])
    expect(problems(records(10_100))).toEqual(['line 10001: is past the 10000 records that a zone may have'])
  })

  it.each([
    ['a line of ten million characters', `a TXT ${'x'.repeat(10_000_000)}`, 'line 1: is too long'],
    [
      'millions of words',
      `a TXT (\n${'x x x x x x x x x x\n'.repeat(100_000)})`,
      'belongs to an entry of too many words',
    ],
    ['repeated ignored lines', '@ SOA x\n'.repeat(20_000), 'line 10001: is past the 10000 records'],
    [
      'many words in many entries',
      `a TXT ${'x '.repeat(900)}\n`.repeat(1_000),
      'line 167: is past the 10000 records',
    ],
    ['millions of escapes', `a TXT "${'\\a'.repeat(140_000)}`, 'line 1: the quote is not closed on its line'],
  ])('%s', (_name, text, message) => {
    expect(problems(text)[0]).toContain(message)
  })
})
