/** Which paths a rule's pattern matches, and the values of its placeholders. */
import { describe, expect, it } from 'vitest'
import { parsePattern } from '../../../../src/platform/sites/rules/pattern.ts'
import { compilePattern, toRulePath } from '../../../../src/roles/edge/rules/match-pattern.ts'
import { processorMsOf } from '../../../support/processor-ms.ts'

function match(pattern: string, path: string) {
  const parsed = parsePattern(pattern)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const values = compilePattern(parsed)(toRulePath(path))
  return values && Object.fromEntries(values)
}

describe('matches', () => {
  it.each<[string, string, Record<string, string>]>([
    ['/', '', {}],
    ['/a', 'a', {}],
    ['/a', 'a/', {}],
    ['/a/', 'a', {}],
    ['/a/', 'a/', {}],
    ['/café', 'cafe\u0301', {}],
    ['/*', '', { splat: '' }],
    ['/*', 'a/b/', { splat: 'a/b/' }],
    ['/a/*', 'a', { splat: '' }],
    ['/a/*', 'a/', { splat: '' }],
    ['/a/*', 'a/b/c', { splat: 'b/c' }],
    ['/a*', 'a', { splat: '' }],
    ['/a*', 'abc/d', { splat: 'bc/d' }],
    ['/*.js', 'a/b.js', { splat: 'a/b' }],
    ['/*.js', '.js', { splat: '' }],
    ['/a/*/b', 'a/x/y/b', { splat: 'x/y' }],
    ['/a/*/b', 'a//b', { splat: '' }],
    ['/:a', 'x', { a: 'x' }],
    ['/:a', 'x/', { a: 'x' }],
    ['/:a/:b', 'x/y.z', { a: 'x', b: 'y.z' }],
    ['/:a/*', 'x', { a: 'x', splat: '' }],
    ['/:a/*', 'x/y/z', { a: 'x', splat: 'y/z' }],
    ['/*/:a', 'x/y/z', { splat: 'x/y', a: 'z' }],
    ['/:a.html', 'x.html', { a: 'x' }],
    ['/:a.html', 'x.html.html/', { a: 'x.html' }],
    ['/m/:a.html/edit', 'm/x.html/edit', { a: 'x' }],
    ['/@:user', '@jane', { user: 'jane' }],
    ['/post-:id.txt/*', 'post-7.txt/a/b', { id: '7', splat: 'a/b' }],
    ['/*/post-:id.txt', 'a/b/post-7.txt', { splat: 'a/b', id: '7' }],
    ['/*/@:user/:page.html', 'a/@jane/x.html', { splat: 'a', user: 'jane', page: 'x' }],
  ])('%s: %s', (pattern, path, values) => expect(match(pattern, path)).toEqual(values))
})

describe('does not match', () => {
  it.each([
    ['/', 'a'],
    ['/a', ''],
    ['/a', 'A'],
    ['/a', 'ab'],
    ['/a', 'a//'],
    ['/a/*', 'ab'],
    ['/a/*', 'b/a/'],
    ['/*.js', 'a.jsx'],
    ['/a/*/b', 'a/b'],
    ['/ab*ba', 'aba'],
    ['/:a', ''],
    ['/:a', 'x/y'],
    ['/:a/:b', 'x'],
    ['/:a/:b', 'x//'],
    ['/:a/*', ''],
    ['/*/:a', 'x'],
    ['/:a.html', '.html'],
    ['/:a.html', 'x.htm'],
    ['/:a.html', 'a/x.html'],
    ['/@:user', '@'],
    ['/@:user', '@a/b'],
    ['/*/@:user', 'a/@'],
    ['/*/@:user', 'a/b@c'],
    ['/post-:id.txt/*', 'post-.txt/a'],
  ])('%s: %j', (pattern, path) => expect(match(pattern, path)).toBeUndefined())
})

it('matching takes time linear in the path’s length, whatever the pattern', () => {
  const patterns = [
    `/${Array.from({ length: 40 }, (_, i) => `:a${i}`).join('/')}/*/${'x/'.repeat(40)}:end`,
    '/*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    `/${'a'.repeat(400)}*${'a'.repeat(400)}b`,
  ]
  const paths = ['a'.repeat(8_000), 'a/'.repeat(4_000), `${'a/'.repeat(3_999)}b`]
  const spentMs = processorMsOf(() => {
    for (const pattern of patterns)
      for (const path of paths) for (let i = 0; i < 100; i += 1) match(pattern, path)
  })
  // 900 matches; a backtracking pattern would take minutes.
  expect(spentMs).toBeLessThan(1_000)
})
