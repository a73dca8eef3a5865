/** Which URLs a webhook may have. */
import { describe, expect, it } from 'vitest'
import { urlProblem } from '../../../../src/platform/webhooks/guard/url.ts'

describe('on the internet', () => {
  it.each([
    'https://example.com',
    'https://example.com/webhooks?team=web',
    'https://EXAMPLE.com:443/',
    'https://example.com:8443/hook',
    'https://example.com./',
    'https://bücher.example/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://not-there-yet.example/%0d%0a',
    'https://internal.example.com/',
    'https://127.0.0.1.example.com/',
  ])('%s is accepted', (url) => {
    expect(urlProblem(url, false)).toBeUndefined()
  })

  it.each([
    ['http://example.com/', 'must be https'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:8080/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://user@example.com/', 'user'],
    ['https://:secret@example.com/', 'user'],
    ['https://example.com@127.0.0.1/', 'user'],
    ['https://example.com/#a', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['file:///etc/passwd', 'must be a URL'],
    ['ftp://example.com/', 'must be a URL'],
    ['gopher://example.com/', 'must be a URL'],
    ['//example.com/', 'must be a URL'],
    ['https:example.com', 'must be a URL'],
    ['https:///example.com', 'must be a URL'],
    ['https:\\\\example.com', 'must be a URL'],
    ['https://example.com\\@127.0.0.1/', 'must be a URL'],
    ['https://example.com/\r\nHost: inside', 'must be a URL'],
    ['https://exam\tple.com/', 'must be a URL'],
    [' https://example.com/', 'must be a URL'],
    ['https://exa mple.com/', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://example.com:99999/', 'must be a URL'],
    ['example.com', 'must be a URL'],
    ['', 'must be a URL'],
  ])('%j is refused: %s', (url, problem) => {
    expect(urlProblem(url, false)).toContain(problem)
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '0',
    '10.1',
    '100.64.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::1]',
    '[::]',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378::1]',
    '[fd00::1]',
    '[fe80::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ｌocalhost',
    'printer.local',
    'metadata.google.internal',
    'metadata.google.internal.',
    'router.home.arpa',
    'intranet',
  ])('the host %s is refused', (host) => {
    expect(urlProblem(`https://${host}/`, false)).toContain('which is not a public')
  })
})

describe('in development', () => {
  it.each(['http://localhost:3000/', 'http://127.0.0.1/', 'https://[::1]:22/', 'http://receiver:8080/a'])(
    '%s is accepted, too',
    (url) => {
      expect(urlProblem(url, true)).toBeUndefined()
    },
  )

  it.each(['file:///etc/passwd', 'http://user@localhost/', 'http://localhost/#a', 'http://local host/'])(
    '%s is refused',
    (url) => {
      expect(urlProblem(url, true)).toBeDefined()
    },
  )
})
