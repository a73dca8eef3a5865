/** The names of records, and the host names they point to. */
import { describe, expect, it } from 'vitest'
import { readRecordName, readTarget, relativeName } from '../../../src/platform/dns/record-names.ts'

const zone = 'example.com'

describe('the name of a record', () => {
  it.each([
    ['@', 'example.com'],
    ['www', 'www.example.com'],
    ['WwW', 'www.example.com'],
    ['a.b.c', 'a.b.c.example.com'],
    ['_dmarc', '_dmarc.example.com'],
    ['_imaps._tcp', '_imaps._tcp.example.com'],
    ['selector1._domainkey', 'selector1._domainkey.example.com'],
    ['-', '-.example.com'],
    ['0', '0.example.com'],
    ['*', '*.example.com'],
    ['*.shop', '*.shop.example.com'],
    ['com', 'com.example.com'],
    ['example', 'example.example.com'],
    ['bücher', 'xn--bcher-kva.example.com'],
    ['BÜCHER', 'xn--bcher-kva.example.com'],
    ['bu\u0308cher', 'xn--bcher-kva.example.com'],
    ['xn--bcher-kva', 'xn--bcher-kva.example.com'],
    ['a。b', 'a.b.example.com'],
    ['１２７', '127.example.com'],
    ['www.example.com.', 'www.example.com'],
    ['example.com.', 'example.com'],
    ['*.EXAMPLE.com.', '*.example.com'],
    ['example.com.example.com.', 'example.com.example.com'],
    ['a'.repeat(63), `${'a'.repeat(63)}.example.com`],
  ])('%j is %s', (text, fqdn) => {
    expect(readRecordName(text, zone)).toBe(fqdn)
  })

  it.each([
    [''],
    ['.'],
    ['..'],
    ['.www'],
    ['www..shop'],
    ['a b'],
    [' www'],
    ['www\n'],
    ['w\nw'],
    ['w"w'],
    ["w'w"],
    ['w\\w'],
    ['w\\046w'],
    ['w/w'],
    ['w:w'],
    ['w;w'],
    ['$ORIGIN'],
    ['@.www'],
    ['@.'],
    ['a\u200db'],
    ['⒈'],
    ['😀'],
    ['a'.repeat(64)],
    ['ü'.repeat(60)],
  ])('%j is invalid', (text) => {
    expect(readRecordName(text, zone)).toMatchObject({ problem: expect.stringMatching(/^must be @ /) })
  })

  it.each(['www*', '*www', 'a.*', '*.*', '**', 'a*b.c', '*.a.*'])(
    '%j: a wildcard must be the whole first label',
    (text) => {
      expect(readRecordName(text, zone)).toEqual({
        problem: 'must have * only as its first label, alone: *, *.shop',
      })
    },
  )

  it('in full must be in the zone', () => {
    for (const text of ['www.example.org.', 'www.', 'badexample.com.', 'com.', 'example.com.evil.']) {
      expect(readRecordName(text, zone)).toEqual({ problem: 'is not at or below example.com' })
    }
  })

  it('in full without a trailing dot is refused with a suggestion: it would double the domain', () => {
    expect(readRecordName('www.Example.com', zone)).toEqual({
      problem: 'is relative to example.com: write www, or www.example.com. with a dot at the end',
    })
    expect(readRecordName('example.com', zone)).toEqual({
      problem: 'is relative to example.com: write @, or example.com. with a dot at the end',
    })
  })

  it('has at most 253 characters with the zone', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(58)}`
    expect(readRecordName(long, zone)).toHaveLength(253)
    expect(readRecordName(`${long}e`, zone)).toMatchObject({ problem: expect.stringContaining('254') })
    expect(readRecordName(`${long}e.example.com.`, zone)).toMatchObject({ problem: expect.any(String) })
  })

  it('is displayed relative to the zone', () => {
    expect(relativeName('example.com', zone)).toBe('@')
    expect(relativeName('*.shop.example.com', zone)).toBe('*.shop')
  })
})

describe('the target of a record', () => {
  it.each([
    ['www.example.com', 'www.example.com'],
    ['WWW.Example.COM.', 'www.example.com'],
    ['_key._domainkey.example.net', '_key._domainkey.example.net'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['d111abcdef8.cloudfront.net.', 'd111abcdef8.cloudfront.net'],
    ['1.2.3.4.example', '1.2.3.4.example'],
  ])('%j is %s', (text, name) => {
    expect(readTarget(text)).toBe(name)
  })

  it.each(['192.0.2.1', '2001:db8::1', '[2001:db8::1]', '127.1', '0x7f.1', '1.2.3.4.', '2130706433'])(
    '%j is an address',
    (text) => {
      expect(readTarget(text)).toMatchObject({ problem: expect.stringContaining('for addresses use') })
    },
  )

  it.each([
    '',
    '.',
    '..',
    '@',
    '*',
    '*.example.com',
    'https://example.com',
    'example.com/',
    'example.com:443',
    'a b.c',
    'a..b',
    '.a.b',
    'a.b..',
    '10 mail.example.com',
    `${'a'.repeat(64)}.com`,
    'a.b\n',
  ])('%j is invalid', (text) => {
    expect(readTarget(text)).toMatchObject({ problem: expect.stringContaining('only a host name') })
  })

  it('is never relative', () => {
    expect(readTarget('www')).toMatchObject({ problem: expect.stringContaining('an absolute name') })
  })

  it('has at most 253 characters', () => {
    const long = `${`${'a'.repeat(61)}.`.repeat(4)}abcde`
    expect(long).toHaveLength(253)
    expect(readTarget(long)).toBe(long)
    expect(readTarget(`${long}f`)).toMatchObject({ problem: expect.any(String) })
  })
})
