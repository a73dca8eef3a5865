/** Which file of a deployment a path resolves to. */
import { describe, expect, it } from 'vitest'
import { createIsAssetPlace } from '../../../src/roles/edge/asset-places.ts'
import { resolvePath } from '../../../src/roles/edge/resolve-path.ts'

const site = new Set([
  'index.html',
  'about.html',
  'docs/index.html',
  'both.html',
  'both/index.html',
  'app.js',
  'a b.txt',
])
const resolve = (path: string, { files = site, spa = false } = {}) =>
  resolvePath({ path }, (each) => files.has(each), spa)
const file = (path: string) => ({ kind: 'file', path })
const standingIn = { ...file('index.html'), standsIn: true }
const redirect = (path: string) => ({ kind: 'redirect', path })
const missing = { kind: 'missing', page: undefined }

describe('a page has one URL', () => {
  it.each([
    ['', file('index.html')],
    ['index.html', file('index.html')],
    ['index', file('index.html')],
    ['about', file('about.html')],
    ['about.html', file('about.html')],
    ['about/', redirect('about')],
    ['docs', redirect('docs/')],
    ['docs/', file('docs/index.html')],
    ['docs/index.html', file('docs/index.html')],
    ['docs/index', file('docs/index.html')],
    ['both', file('both.html')],
    ['both/', file('both/index.html')],
    ['app.js', file('app.js')],
    ['a b.txt', file('a b.txt')],
  ])('%j', (path, resolution) => expect(resolve(path)).toEqual(resolution))
})

describe('no file is found for', () => {
  it.each([
    'nothing',
    'nothing/',
    'app.js/',
    'docs/nothing',
    'About',
    '/about',
    '/',
    'docs//',
    'docs//index.html',
  ])('%j', (path) => {
    expect(resolve(path)).toEqual(missing)
  })

  it('the root of a site without index.html', () => {
    expect(resolve('', { files: new Set(['.html', '/index.html', 'x.txt']) })).toEqual(missing)
  })
})

it('redirects never loop', () => {
  for (const files of [
    ['a.html'],
    ['a/index.html'],
    ['a.html', 'a/index.html'],
    ['a', 'a/index.html'],
    ['a', 'a.html'],
  ]) {
    for (const start of ['a', 'a/']) {
      const first = resolve(start, { files: new Set(files) })
      if (first.kind === 'redirect') expect(resolve(first.path, { files: new Set(files) }).kind).toBe('file')
    }
  }
})

describe('with spa', () => {
  const spa = true
  it.each([
    'users/7',
    'users/7/',
    'v1.2',
    'users/john.doe',
    'nothing.html',
    '.env',
    'activate/key/user@example.com',
    'domains/example.org',
    'domains/example.co.uk',
    'u/jane.me',
    'orgs/example.ai',
    'files/report.pdf',
    'files/notes.txt',
    'files/table.csv',
    'repo/README.md',
    'repo/main.rs',
    'repo/index.ts',
    'repo/go.mod',
    'docs/robots.txt',
    'ip/192.0.2.1',
    'open/https://example.com',
    'a//b',
    '/evil',
  ])('index.html is served for %s', (path) => {
    expect(resolve(path, { spa })).toEqual(standingIn)
  })

  it.each([
    'missing.js',
    'a/missing.css',
    'logo.PNG',
    'data.json',
    'app.js.map',
    'main.wasm',
    'font.woff2',
    'intro.mp4',
    'favicon.ico',
    'site.webmanifest',
    'a//missing.mjs',
    'robots.txt',
    'sitemap.xml',
  ])('%s is missing', (path) => {
    expect(resolve(path, { spa })).toEqual(missing)
  })

  it.each(['_next/static/chunks/old', '_astro/old', 'static/js/old', 'static/js/deep/old.txt'])(
    '%s is missing, since assets are there',
    (path) => {
      const isAssetPlace = createIsAssetPlace({ 'static/js': ['hash'], '': ['hash'] })
      const has = (each: string) => site.has(each)
      expect(resolvePath({ path }, has, spa, { isAssetPlace })).toEqual(missing)
      expect(resolvePath({ path: 'static/jstor' }, has, spa, { isAssetPlace })).toEqual(standingIn)
    },
  )

  it('files and pages still come first', () => {
    expect(resolve('about', { spa })).toEqual(file('about.html'))
    expect(resolve('docs', { spa })).toEqual(redirect('docs/'))
  })

  it('nothing is served without an index.html', () => {
    expect(resolve('users', { spa, files: new Set(['app.js']) })).toEqual(missing)
  })
})

it("the deployment's own 404 page is served for a missing file", () => {
  const files = new Set([...site, '404.html'])
  expect(resolve('nothing', { files })).toEqual({ kind: 'missing', page: '404.html' })
  expect(resolve('/about', { files })).toEqual({ kind: 'missing', page: '404.html' })
  expect(resolve('nothing', { files, spa: true })).toEqual(standingIn)
  expect(resolve('nothing.js', { files, spa: true })).toEqual({ kind: 'missing', page: '404.html' })
})

it('finds a requested name in another Unicode form', () => {
  const files = new Set(['caf\u00e9.txt', 'men\u00fc.html', '\u00fc/index.html'])
  expect(resolve('cafe\u0301.txt', { files })).toEqual(file('caf\u00e9.txt'))
  expect(resolve('menu\u0308', { files })).toEqual(file('men\u00fc.html'))
  expect(resolve('u\u0308', { files })).toEqual(redirect('\u00fc/'))
})
