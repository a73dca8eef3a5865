/** Which names can be claimed, and their stored form. */
import { describe, expect, it } from 'vitest'
import { isAtOrBelow, readDomainName, reverseName, selfAndAbove } from '../../../src/lib/names/domain-name.ts'

describe('a name is stored in lower case and ASCII, without a trailing dot', () => {
  it.each([
    ['Example.COM', 'example.com', 'example.com'],
    ['www.example.com.', 'www.example.com', 'example.com'],
    ['a.b.example.co.uk', 'a.b.example.co.uk', 'example.co.uk'],
    ['Bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['Bu\u0308cher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['faß.de', 'xn--fa-hia.de', 'xn--fa-hia.de'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
    ['例え。jp', 'xn--r8jz45g.jp', 'xn--r8jz45g.jp'],
    ['site.unlisted', 'site.unlisted', 'site.unlisted'],
    ['me.github.io', 'me.github.io', 'me.github.io'],
    ['x.me.github.io', 'x.me.github.io', 'me.github.io'],
    ['1.example.com', '1.example.com', 'example.com'],
  ])('%s', (text, domain, registrable) => {
    expect(readDomainName(text)).toEqual({ domain, registrable })
  })
})

describe('a name that cannot be registered is refused with the reason', () => {
  it.each([
    ['*.example.com', 'wildcard'],
    ['co.uk', 'public suffix'],
    ['com', 'public suffix'],
    ['github.io', 'public suffix'],
    ['localhost', 'public suffix'],
    ['127.0.0.1', 'not an address'],
    ['127.1', 'not an address'],
    ['0x7f.1', 'not an address'],
    ['example.0x7f', 'not an address'],
    ['2130706433', 'not an address'],
    ['[::1]', 'not an address'],
    ['::1', 'not an address'],
    ['１２７.0.0.1', 'not an address'],
    ['', 'such as example.com'],
    ['.', 'such as example.com'],
    ['.example.com', 'such as example.com'],
    ['example..com', 'such as example.com'],
    ['example.com..', 'such as example.com'],
    ['-a.example.com', 'such as example.com'],
    ['a-.example.com', 'such as example.com'],
    ['_svc.example.com', 'such as example.com'],
    ['exa mple.com', 'such as example.com'],
    ['example.com/x', 'such as example.com'],
    ['example.com:80', 'such as example.com'],
    ['user@example.com', 'such as example.com'],
    ['exa%6dple.com', 'such as example.com'],
    ['example.com\0', 'such as example.com'],
    [`${'a'.repeat(64)}.example.com`, 'such as example.com'],
    [`${'a.'.repeat(125)}example.com`, 'such as example.com'],
    ['xn--a.example.com', 'such as example.com'],
    ['xn--a-.com', 'such as example.com'],
    ['аpple.com', 'mixes letters'],
    ['xn--pple-43d.com', 'mixes letters'],
    ['gοοgle.com', 'mixes letters'],
  ])('%j', (text, problem) => {
    expect(readDomainName(text)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

it('the parents of a name are listed up to the registrable one', () => {
  expect(selfAndAbove('a.b.example.co.uk', 'example.co.uk')).toEqual([
    'a.b.example.co.uk',
    'b.example.co.uk',
    'example.co.uk',
  ])
  expect(selfAndAbove('example.com', 'example.com')).toEqual(['example.com'])
})

it('a name is below another by whole labels', () => {
  expect(isAtOrBelow('www.example.com', 'example.com')).toBe(true)
  expect(isAtOrBelow('example.com', 'example.com')).toBe(true)
  expect(isAtOrBelow('badexample.com', 'example.com')).toBe(false)
  expect(reverseName('www.example.com')).toBe('com.example.www')
})
