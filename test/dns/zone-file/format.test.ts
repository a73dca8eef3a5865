/** The zone file of a zone, which other name servers can load. */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { atOnce } from '../../../src/async/in-turns.ts'
import { formatZone, type WrittenRecord } from '../../../src/dns/zone-file/format.ts'
import { parseZone } from '../../../src/dns/zone-file/parse.ts'
import { soaOf } from '../../../src/zones/soa.ts'

const apex = 'example.com'
const nameservers = ['ns1.example.net', 'ns2.example.net']
const soa = soaOf({ apex, serial: 1_790_000_000, nameservers })

const record = (
  fqdn: string,
  type: WrittenRecord['type'],
  value: string,
  more: Partial<WrittenRecord> = {},
) => ({
  ...{ fqdn, type, value, ttl: 300, priority: null, weight: null, port: null, comment: null, managed: false },
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
  record('key._domainkey.example.com', 'TXT', long, { comment: 'two\nlines; one comment' }),
  record('eu.example.com', 'NS', 'ns.example.org'),
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
      '@\t300\tIN\tMX\t10 mail.example.net.',
    ])
    expect(text.endsWith('\n')).toBe(true)
  })

  it.each([
    ['a comment', 'www\t300\tIN\tCNAME\texample.com. ; the usual name'],
    ['a record of the service', '_svc\t300\tIN\tTXT\t"svc-verify=x" ; managed'],
    ['an ALIAS whose own comment looks like a marker', '; ALIAS shop 300 shops.example.net.'],
    ['no mail', 'none\t300\tIN\tMX\t0 .'],
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
      each: Pick<WrittenRecord, 'fqdn' | 'type' | 'value' | 'ttl'> & {
        priority?: number | null
        port?: number | null
      },
    ) =>
      JSON.stringify([each.fqdn, each.type, each.value, each.ttl, each.priority ?? null, each.port ?? null])
    expect(read.map(contents).sort()).toEqual(records.map(contents).sort())
    expect(read.find(({ fqdn }) => fqdn.startsWith('key.'))?.comment).toBe('two lines; one comment')
  })
})

it('can be parsed back with the longest possible text', () => {
  const value = 'ä'.repeat(32_000)
  const written = atOnce(formatZone({ apex, soa, nameservers, records: [record(apex, 'TXT', value)] }))
  expect(atOnce(parseZone(written, apex)).records[0]?.value).toBe(value)
})

/** Programs that load a zone like their name servers: the command for a file, and a configuration file for Knot. */
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
