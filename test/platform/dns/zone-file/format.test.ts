/** The zone file of a zone, which other name servers can load. */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { parseRecord } from '../../../../src/platform/dns/parse-record.ts'
import { formatZone, type WrittenRecord } from '../../../../src/platform/dns/zone-file/format.ts'
import { parseZone } from '../../../../src/platform/dns/zone-file/parse.ts'
import { soaOf } from '../../../../src/platform/zones/soa.ts'

const apex = 'example.com'
const nameservers = ['ns1.example.net', 'ns2.example.net']
const soa = soaOf({ apex, serial: 1_790_000_000, nameservers })

const record = (
  fqdn: string,
  type: WrittenRecord['type'],
  value: string,
  more: Partial<WrittenRecord> = {},
) => ({
  fqdn,
  type,
  value,
  strings: null,
  ttl: 300,
  priority: null,
  weight: null,
  port: null,
  comment: null,
  managed: false,
  ...more,
})

const long = `v=DKIM1; p="${'äöü\\'.repeat(200)}"`

const records: WrittenRecord[] = [
  record('www.example.com', 'CNAME', 'example.com', { comment: 'the usual name' }),
  record('example.com', 'A', '192.0.2.1', { ttl: 60 }),
  record('example.com', 'AAAA', '2001:db8::1'),
  record('example.com', 'MX', 'mail.example.net', { priority: 10 }),
  record('none.example.com', 'MX', '.', { priority: 0 }),
  record('example.com', 'CAA', '0 issue "ca.example.net; policy=ev"'),
  record('*.example.com', 'TXT', 'any'),
  record('_sip._tcp.example.com', 'SRV', 'sip.example.net', { priority: 1, weight: 2, port: 5060 }),
  record('empty.example.com', 'TXT', ''),
  record('_http._tcp.example.com', 'TXT', 'a=1b="ü"', { strings: ['a=1', 'b="ü"'] }),
  record('key._domainkey.example.com', 'TXT', long, { comment: 'two\nlines; one comment' }),
  record('eu.example.com', 'NS', 'ns.example.org'),
  record('eu.example.com', 'DS', `60485 13 2 ${'d4b7'.repeat(16)}`),
  record('example.com', 'HTTPS', '. alpn=h2,h3 key667="a b"', { priority: 1 }),
  record('alias.example.com', 'SVCB', 'svc.example.net', { priority: 0 }),
  record('_443._tcp.example.com', 'TLSA', '3 1 1 0d6fce3d'),
  record('ssh.example.com', 'SSHFP', `1 1 ${'bf6b'.repeat(10)}`),
  record('naptr.example.com', 'NAPTR', '100 10 "S" "SIP+D2U" "" _sip._tcp.example.com'),
  record('naptr.example.com', 'NAPTR', '100 20 "u" "E2U+sip" "!^(.*)$!\\\\1\\"!" .'),
  record('ptr.example.com', 'PTR', 'host.example.net'),
  record('loc.example.com', 'LOC', '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m'),
  record('shop.example.com', 'ALIAS', 'shops.example.net', { comment: 'managed' }),
  record('_svc.example.com', 'TXT', 'svc-verify=x', { managed: true }),
]

const text = atOnce(formatZone({ apex, soa, nameservers, records }))

describe('a zone as a file', () => {
  it('starts with its SOA and name servers, and has records in the order of their names', () => {
    expect(text.split('\n').slice(0, 9)).toEqual([
      '$ORIGIN example.com.',
      '$TTL 300',
      '@\t3600\tIN\tSOA\tns1.example.net. hostmaster.example.com. 1790000000 3600 600 604800 300',
      '@\t3600\tIN\tNS\tns1.example.net.',
      '@\t3600\tIN\tNS\tns2.example.net.',
      '@\t60\tIN\tA\t192.0.2.1',
      '@\t300\tIN\tAAAA\t2001:db8::1',
      '@\t300\tIN\tCAA\t0 issue "ca.example.net; policy=ev"',
      '@\t300\tIN\tHTTPS\t1 . alpn=h2,h3 key667="a b"',
    ])
    expect(text.endsWith('\n')).toBe(true)
  })

  it.each([
    ['a comment', 'www\t300\tIN\tCNAME\texample.com. ; the usual name'],
    ['a record of the service', '_svc\t300\tIN\tTXT\t"svc-verify=x" ; managed'],
    ['an ALIAS whose own comment looks like a marker', '; ALIAS shop 300 shops.example.net.'],
    ['an alias of a service', 'alias\t300\tIN\tSVCB\t0 svc.example.net.'],
    [
      'the name at the end of a rule',
      'naptr\t300\tIN\tNAPTR\t100 10 "S" "SIP+D2U" "" _sip._tcp.example.com.',
    ],
    ['no mail', 'none\t300\tIN\tMX\t0 .'],
    ['the strings of a text', '_http._tcp\t300\tIN\tTXT\t"a=1" "b=\\"\\195\\188\\""'],
    ['an empty text', 'empty\t300\tIN\tTXT\t""'],
  ])('marks %s', (_what, line) => {
    expect(text.split('\n')).toContain(line)
  })

  it('cuts a long text into strings of at most 255 bytes of ASCII', () => {
    const line = text.split('\n').find((each) => each.startsWith('key.')) ?? ''
    const strings = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string = '']) =>
      string.replace(/\\(?:\d{3}|.)/g, '?'),
    )
    expect(strings.map((string) => string.length)).toEqual([255, 255, 255, 255, 255, 138])
    expect(line).toMatch(/ ; two lines; one comment$/)
    expect(line).toMatch(/^[\t -~]+$/)
  })

  it('can be parsed back into its records', () => {
    const { records: read, problems, skipped } = atOnce(parseZone(text, apex))
    expect(problems).toEqual([])
    expect(skipped).toHaveLength(3)
    const contents = (
      each: Pick<WrittenRecord, 'fqdn' | 'type' | 'value' | 'strings' | 'ttl'> & {
        priority?: number | null
        port?: number | null
      },
    ) =>
      JSON.stringify([
        ...[each.fqdn, each.type, each.value, each.strings, each.ttl],
        ...[each.priority ?? null, each.port ?? null],
      ])
    const canonical = read.map((each) => {
      const parsed = parseRecord({ ...each, name: `${each.fqdn}.` }, apex)
      if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
      return { ...parsed, ttl: each.ttl }
    })
    expect(canonical.map(contents).sort()).toEqual(records.map(contents).sort())
    expect(read.find(({ fqdn }) => fqdn.startsWith('key.'))?.comment).toBe('two lines; one comment')
  })
})

it('can be parsed back with the longest possible text', () => {
  const value = 'ä'.repeat(32_000)
  const written = atOnce(formatZone({ apex, soa, nameservers, records: [record(apex, 'TXT', value)] }))
  expect(atOnce(parseZone(written, apex)).records[0]?.value).toBe(value)
})

/**
 * Programs that load a zone like their name servers: the command for a file, and a configuration file for
 * Knot.
 */
const checkers: [program: string, args: (file: string, settings: string) => string[]][] = [
  ['kzonecheck', (file) => ['-o', apex, file]],
  ['knotc', (_file, settings) => ['-c', settings, 'zone-check', apex]],
  ['nsd-checkzone', (file) => [apex, file]],
  ['named-checkzone', (file) => [apex, file]],
]

const loaded: string[] = []

afterAll(() => {
  if (process.env.CI && loaded.length === 0) throw new Error('No program is installed that loads zone files.')
})

it.for(checkers)('%s loads it', async ([program, args], { skip }) => {
  const directory = await mkdtemp(join(inject('directory'), 'zone-'))
  const [file, settings] = [join(directory, 'zone'), join(directory, 'knot.conf')]
  await writeFile(file, text)
  await writeFile(
    settings,
    `database:
  storage: ${directory}
zone:
  - domain: ${apex}
    file: ${file}
    semantic-checks: on
`,
  )
  // Debian's directories, which not every user has in the PATH.
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const checked = await promisify(execFile)(program, args(file, settings), { env }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    },
  )
  skip(checked === undefined, `${program} is not installed`)
  loaded.push(program)
})
