/** What an import of a zone file does to a zone. */
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import { planImport } from '../../../../src/platform/dns/zone-file/plan-import.ts'
import { readZone } from '../../../../src/platform/dns/zone-file/read-zone-file.ts'

const apex = 'example.com'

const record = (fqdn: string, type: 'A' | 'TXT', value: string, managed = false) => ({
  id: `rec_${fqdn}`,
  fqdn,
  type,
  value,
  strings: null,
  priority: null,
  weight: null,
  port: null,
  ttl: 300,
  comment: null,
  managed,
  created_ms: 0,
  updated_ms: 0,
})

const proof = record('_svc.example.com', 'TXT', 'svc-verify=x', true)
const edge = record('example.com', 'A', '192.0.2.1', true)

const plan = (text: string, present = [proof, edge]) =>
  atOnce(planImport(atOnce(readZone(text, apex)), present))

/** The lines with errors. */
function refused(text: string): string[] {
  try {
    plan(text)
  } catch (error) {
    if (error instanceof AppError && error.reason === 'invalid_input') {
      return (error.issues ?? []).map(({ path, message }) => `${path} ${message}`)
    }
    throw error
  }
  return []
}

/** What an import with `skip` adds, and the lines that it leaves out. */
function planSkipping(text: string) {
  const { added, skipped: left } = atOnce(planImport(atOnce(readZone(text, apex, true)), [proof, edge], true))
  return {
    added: added.map(({ fqdn, type, value }) => `${fqdn} ${type} ${value}`),
    left: left.map(({ line, message }) => `${line} ${message}`),
  }
}

const skipped = (line: number, what: string) => ({
  line,
  message: `${what}: this record is managed`,
})

describe('an import', () => {
  it('ignores the service’s records, whatever their comment is', () => {
    expect(plan('@ A 192.0.2.1\n_svc TXT svc-verify=x ; note\n@ A 192.0.2.99 ; managed')).toEqual({
      added: [],
      removed: [],
      changed: [],
      unchanged: 0,
      adjusted: [],
      skipped: [skipped(1, 'example.com A'), skipped(2, '_svc.example.com TXT'), skipped(3, 'example.com A')],
    })
  })

  it('keeps an address of the service beside one of the team, which would replace it', () => {
    const { added, skipped: none } = plan('@ A 192.0.2.1 ; managed\n@ A 192.0.2.2')
    expect(added.map(({ value, comment }) => ({ value, comment }))).toEqual([
      { value: '192.0.2.1', comment: null },
      { value: '192.0.2.2', comment: null },
    ])
    expect(none).toEqual([])
  })

  it('takes duplicates once, also in another spelling', () => {
    const { added, skipped: twice } = plan('a AAAA 2001:DB8::0:1\nA.example.com. AAAA 2001:db8::1')
    expect(added.map(({ value }) => value)).toEqual(['2001:db8::1'])
    expect(twice).toEqual([{ line: 2, message: 'a.example.com AAAA: duplicate in the file' }])
  })

  it('removes records that are missing in the file, but never those of the service', () => {
    const own = record('www.example.com', 'A', '192.0.2.7')
    expect(plan('', [proof, edge, own]).removed).toEqual([own])
  })

  it('truncates long comments', () => {
    const { added, adjusted } = plan(`a TXT x ; ${'ä'.repeat(501)}`)
    expect(added[0]?.comment).toBe('ä'.repeat(500))
    expect(adjusted).toEqual([
      { line: 1, message: 'a.example.com TXT: its comment is cut at 500 characters' },
    ])
  })

  it('is refused with the line of every invalid record', () => {
    const text = `a A 300.1.2.3
b CNAME x.example.net.
c DNAME x.example.net.
* TXT x
a.*.b TXT x
@ CNAME www
_sip._tcp SRV 1 2 70000 x`
    expect(refused(text)).toEqual([
      'zone line 1: a.example.com A: value must be an IPv4 address such as 203.0.113.7',
      expect.stringContaining('zone line 3: DNAME records'),
      expect.stringContaining('zone line 5: a.*.b.example.com TXT: name must'),
      expect.stringMatching(/^zone line 6: example\.com CNAME: type must not be .* ALIAS/),
      expect.stringContaining('zone line 7: _sip._tcp.example.com SRV: port must'),
    ])
  })

  it('is refused if its records conflict', () => {
    expect(
      refused('a CNAME x.example.net.\na A 192.0.2.1\nb A 192.0.2.1\n_svc CNAME y.example.net.'),
    ).toEqual([
      'zone line 2: A CNAME stands alone at its name: a.example.com has CNAME x.example.net.',
      'zone line 4: A CNAME stands alone at its name: _svc.example.com has TXT svc-verify=x.',
    ])
  })

  it('is refused for DS without the NS of a delegation, wherever those are in the file', () => {
    const ds = `DS 1 13 2 ${'ab'.repeat(32)}`
    expect(plan(`a ${ds}\na NS ns.example.net.`).added).toHaveLength(2)
    expect(refused(`a ${ds}\nb NS ns.example.net.`)).toEqual([
      'zone line 1: a.example.com has no NS records, without which DS means nothing.',
    ])
  })

  it('leaves out what it can’t take, where it may', () => {
    const text = `a A 300.1.2.3
a A 192.0.2.1
a CNAME x.example.net.
b DNAME x.example.net.
$INCLUDE other.zone
c\\.d TXT x
  TXT y
e TXT "open
  TXT z
f DS 1 13 9 ab
$GENERATE 1-9 h$ A 192.0.2.$
g TXT last`
    expect(planSkipping(text)).toEqual({
      added: ['a.example.com A 192.0.2.1', 'g.example.com TXT last'],
      left: [
        expect.stringContaining('1 a.example.com A: value must be an IPv4 address'),
        '3 A CNAME stands alone at its name: a.example.com has A 192.0.2.1.',
        expect.stringContaining("4 DNAME records can't be kept"),
        expect.stringContaining('5 $INCLUDE is not supported'),
        expect.stringContaining('6 c\\.d is not a valid record name'),
        expect.stringContaining('7 belongs to the name of a line before it'),
        expect.stringContaining('8 the quote is not closed'),
        expect.stringContaining('9 belongs to the name of a line before it'),
        expect.stringContaining('10 f.example.com has no NS records'),
        expect.stringContaining('11 $GENERATE is not supported'),
      ],
    })
  })

  it('leaves out more than a hundred lines, each named', () => {
    const bad = Array.from({ length: 300 }, (_, index) => `a${index} A x\n`).join('')
    const { added, left } = planSkipping(`${bad}${bad}z TXT x`)
    expect({ added, left: left.length }).toEqual({ added: ['z.example.com TXT x'], left: 600 })
  })

  it('does not take the TTL of a record that it leaves out', () => {
    const present = [proof, record('a.example.com', 'TXT', 'x')]
    const text = 'a 300 TXT x\na 60 TXT \\300\n'
    const { changed, unchanged } = atOnce(planImport(atOnce(readZone(text, apex, true)), present, true))
    expect({ changed, unchanged }).toEqual({ changed: [], unchanged: 1 })
  })

  it.each([
    ['$ORIGIN a\\.b.\nx A 192.0.2.1', 'line 1: $ORIGIN takes a name'],
    ['$TTL soon\nx A 192.0.2.1', 'line 1: $TTL takes a number of seconds'],
    ['a TXT ( "open\n "x" )', 'line 1: the quote is not closed'],
    ['a MX ( 10\n mail', 'line 1: the parenthesis is not closed'],
    ['a TXT x\n'.repeat(10_001), 'line 10001: is past the 10000 records'],
    ['a A x\n'.repeat(10_001), 'line 10001: is past the 10000 records'],
  ])('leaves out nothing that decides what follows: %j', (text, message) => {
    expect(() => planSkipping(text)).toThrow(message)
    expect(() => planSkipping(text)).toThrow(
      "; it can't be skipped, as it decides what the lines after it mean",
    )
  })

  it('reports a hundred lines at most', () => {
    expect(refused(Array.from({ length: 200 }, (_, index) => `a${index} A x\n`).join(''))).toHaveLength(100)
  })
})
