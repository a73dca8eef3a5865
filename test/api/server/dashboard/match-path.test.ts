/** Which exported file a path leads to. */
import { expect, it } from 'vitest'
import { createMatcher } from '../../../../src/api/server/dashboard/match-path.ts'
import { exportedFiles } from '../../../support/dashboard.ts'

const match = createMatcher(Object.keys(exportedFiles('one')))

it.each([
  ['', 'index.html'],
  ['theme.js', 'theme.js'],
  ['_next/static/one.js', '_next/static/one.js'],
  ['acme', '_.html'],
  ['acme.txt', '_.txt'],
  ['acme/web', '_/_.html'],
  ['acme/web.txt', '_/_.txt'],
  ['acme/web/settings', '_/_/settings.html'],
  ['acme/web/deployments/dpl_1', '_/_/deployments/_.html'],
  ['acme/web/__next._tree.txt', '_/_/__next._tree.txt'],
  ['acme/web/__next.$d$team.$d$project.__PAGE__.txt', '_/_/__next.$d$team.$d$project.__PAGE__.txt'],
  ['acme/web/__next.%24d%24team.%24d%24project.__PAGE__.txt', '_/_/__next.$d$team.$d$project.__PAGE__.txt'],
  ['_/_.txt', '_/_.txt'],
  ['_/~/domains/_.txt', '_/~/domains/_.txt'],
  ['index.txt', 'index.txt'],
])('%s is %s', (path, name) => {
  expect(match(path, true)).toBe(name)
})

it.each([
  ['acme/~/domains', '_/~/domains.html'],
  ['acme/%7E/domains', '_/~/domains.html'],
  ['acme/~/domains/example.com', '_/~/domains/_.html'],
  ['acme/~/domains/example.com.txt', '_/~/domains/_.txt'],
])('a literal segment precedes a placeholder: %s is %s', (path, name) => {
  expect(match(path, true)).toBe(name)
})

it('tries a placeholder where the literal segment leads nowhere', () => {
  const matchTwo = createMatcher(['_/docs/one.html', '_/_/two.html'])
  expect(matchTwo('acme/docs/two', false)).toBe('_/_/two.html')
})

it.each([
  'acme/web/unknown',
  'acme/web/deployments',
  '_next/static/two.js',
  'acme//web',
  '/acme',
  'acme/',
  'acme/%zz',
  '\\evil.test',
  Array.from({ length: 40 }, () => 'x').join('/'),
])('%s is none', (path) => {
  expect(match(path, true)).toBeUndefined()
})

it.each([
  'robots.txt',
  'acme.txt',
  'index.txt',
  'acme/web.txt',
  'acme/web/__next._tree.txt',
  'acme.html',
  '.well-known/security.txt',
  'sitemap.xml',
  'favicon.ico',
  'Acme',
  'acme/style.css',
  'acme%2Etxt',
  '_.txt',
  '_/_.txt',
  'acme/~/domains/example.com/__next._tree.txt',
])('%s is none to who asks for a page', (path) => {
  expect(match(path, false)).toBeUndefined()
})

it.each([
  'index',
  'index.html',
  '_not-found',
  '_not-found.html',
  '_',
  '_.html',
  '%5F',
  '_/_',
  '_/web',
  'acme/_',
  'acme/web/deployments/_',
  '_/~/domains',
  '_/~/domains.html',
  '~',
  'acme/~',
  '~/web',
])('%s, which only the export calls so, is none', (path) => {
  expect(match(path, false)).toBeUndefined()
})
