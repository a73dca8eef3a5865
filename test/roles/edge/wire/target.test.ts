/** How a request target is interpreted. */
import { describe, expect, it } from 'vitest'
import { formatPath, parseTarget } from '../../../../src/roles/edge/wire/target.ts'

describe('a target', () => {
  it.each([
    ['/', '', ''],
    ['/a/b.js', 'a/b.js', ''],
    ['/a?x=1&y=%20', 'a', '?x=1&y=%20'],
    ['/a?', 'a', '?'],
    ['/?/../x', '', '?/../x'],
    ['/a%20b', 'a b', ''],
    ['/%3F', '?', ''],
    ['/caf%C3%A9', 'café', ''],
    ['/caf\u00c3\u00a9', 'café', ''],
    ['/%252e%252e/x', '%2e%2e/x', ''],
    ['//evil/x', '/evil/x', ''],
    ['/...', '...', ''],
    ['/.well-known/x', '.well-known/x', ''],
    ['/a..b/.c', 'a..b/.c', ''],
  ])('%s', (target, path, query) => expect(parseTarget(target)).toEqual({ path, query }))

  it.each([
    ['/a%2fb', 'a/b', 'a\u0000b'],
    ['/group%2Fname/issues', 'group/name/issues', 'group\u0000name/issues'],
    ['/%2F%2Fevil/%C3%BC?%2F', '//evil/\u00fc', '\u0000\u0000evil/\u00fc'],
    ['/https%3A%2F%2Fexample.com', 'https://example.com', 'https:\u0000\u0000example.com'],
    ['/a%252Fb%2F', 'a%2Fb/', 'a%2Fb\u0000'],
  ])('%s keeps its escaped slashes apart', (target, path, escaped) => {
    expect(parseTarget(target)).toMatchObject({ path, escaped })
  })
})

describe('a target that is refused', () => {
  it.each([
    '',
    '*',
    'a',
    'http://web.localhost/',
    'web.localhost:443',
    '/a b',
    '/a#b',
    '/a\u0000',
    '/a\t',
    '/%',
    '/%f',
    '/%zz',
    '/%ff',
    '/%c0%ae%c0%ae/x',
    '/%00',
    '/a%0d%0aX: y',
    '/%7f',
    '/%c2%85',
    '/..',
    '/.',
    '/../x',
    '/a/../../x',
    '/a/./b',
    '/%2e%2e/x',
    '/.%2e/x',
    '/..%2f..%2fetc/passwd',
    '/a/..%2f',
    '/a%2f..%2fb',
    '/%2f../x',
    '/a%2f%00',
    '/a\\b',
    '/..\\x',
    '/%5c..%5cx',
    '/\\evil.com',
    '/%5cevil.com',
  ])('%j', (target) => expect(parseTarget(target)).toBeUndefined())
})

describe('a path as a location', () => {
  it.each([
    ['', '/'],
    ['about/', '/about/'],
    ['a b/ü', '/a%20b/%C3%BC'],
    ['what?/#1', '/what%3F/%231'],
    ['100%', '/100%25'],
    ['/evil.com', '/evil.com'],
    ['///evil.com', '/evil.com'],
    ['\\evil.com', '/evil.com'],
    ['/\\/evil.com', '/evil.com'],
  ])('%s', (path, location) => expect(formatPath(path)).toBe(location))
})
