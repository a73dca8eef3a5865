/** Which file names contain a hash of their content. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { findHashPlaces, noPlaces } from '../../../../src/platform/sites/hashed-names/hash-places.ts'
import { isHashedName } from '../../../../src/platform/sites/hashed-names/hashed-name.ts'
import { readOutputs, readStableNames } from './corpus.ts'

const stable = readStableNames()

/** The part of `names` that is taken for hashed in a deployment with these `paths`, from 0 to 1. */
function shareOf(names: string[], paths: string[] = []): number {
  const places = atOnce(findHashPlaces(paths))
  return names.filter((name) => isHashedName(name, places)).length / names.length
}

describe.each(readOutputs())('of $source', ({ names }) => {
  it('at least 95 of 100 names are recognized', () => {
    expect(names.length).toBeGreaterThan(50)
    expect(shareOf(names, names)).toBeGreaterThanOrEqual(0.95)
  })

  it('none makes more than 1 of 100 other names beside them look like one', () => {
    expect(shareOf(stable, names)).toBeLessThanOrEqual(0.01)
  })
})

it('of names without a hash at most 1 of 100 is taken for one', () => {
  expect(stable.length).toBeGreaterThan(700)
  expect(shareOf(stable)).toBeLessThanOrEqual(0.01)
})

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const base64url = `${capitals}${capitals.toLowerCase()}0123456789-_`

/** Hashes of eight digits out of `alphabet`, whose length is a power of two. */
const hashes = (alphabet: string) =>
  Array.from({ length: 5_000 }, () =>
    [...randomBytes(8)].map((byte) => alphabet.charAt(byte % alphabet.length)).join(''),
  )

describe('by its name alone, in a site of any size, at least 94 of 100 are recognized', () => {
  it.each([
    ['Vite', base64url, 'assets/index-%.js'],
    ['Vite, for a picture', base64url, 'assets/logo-%.svg'],
    ['SvelteKit', base64url, '_app/immutable/chunks/%.js'],
    ['Astro', base64url, '_astro/page.%.css'],
    ['esbuild', `${capitals}234567`, 'chunk-%.js'],
    ['webpack and Parcel', '0123456789abcdef', 'static/js/main.%.chunk.js'],
  ])('as of %s', (_, alphabet, pattern) => {
    expect(shareOf(hashes(alphabet).map((hash) => pattern.replace('%', hash)))).toBeGreaterThan(0.94)
  })
})

describe('a hash', () => {
  it.each([
    // webpack, Next.js, Parcel
    'static/js/main.3f2a1b4c.js',
    'static/js/main.3f2a1b4c.chunk.js',
    'static/js/main.3f2a1b4c.chunk.js.map',
    'static/media/logo.6ce24c58023cc2f8fd88.svg',
    'static/css/main.e6c13ad2.css',
    '_next/static/chunks/webpack-4c8a1b2d9e0f1a2b.js',
    '_next/static/chunks/1dd3208c-3a1b5e0d9c8b7a6f.js',
    '_next/static/chunks/0w4cpmcl0uzvx.js',
    '_next/static/css/3a1b5e0d9c8b7a6f.css',
    '_next/static/media/e4af272ccee01ff0-s.p.woff2',
    'index.1a2b3c4d.css',
    'static/js/async/6.b887f6ee0a.js',
    'static/svg/picture.c293ea5fde.svg',
    'runtime~main.9a8b7c6d.js',
    'app_1a2b3c4d.mjs',
    // Vite, Rollup
    'assets/index-BdQ3mSxk.js',
    'assets/index-DiwrgTda.js',
    'assets/index-D3k1a9Xz.css',
    'assets/index-B_Q9j-fO.js',
    'build/assets/app--x3M9a_Q.js',
    '_astro/hoisted.CZ0y7F3q.js',
    '_astro/photo.DhNaD2VM_Z1abcd.webp',
    '_app/immutable/entry/start.B3dG1aXz.js',
    '_nuxt/DkLWTcwV.js',
    'assets/inter-latin-wght-B2dQ7xZ1.woff2',
    'docs/assets/guide.md.eA3aZt0A.lean.js',
    'constructor/index-BdQ3mSxk.js',
    '__proto__/index-BdQ3mSxk.js',
    // esbuild
    'main-5XKJ2HPF.js',
    'chunk-A5BCD3EF.js',
    'chunk-7XKJ2HPF.js.map',
    // Rails, Django, Gatsby, Hugo
    `assets/application-${'0a1b2c3d'.repeat(8)}.css`,
    `assets/logo-${'0a1b2c3d'.repeat(8)}.png`,
    'static/main.0a1b2c3d4e5f.css',
    'component---src-pages-index-js-0a1b2c3d4e5f60718293.js',
    `css/main.min.${'0a1b2c3d'.repeat(8)}.css`,
    'posts/first/photo_hu0a1b2c3d4e5f6071_123456_600x400_resize_q75.webp',
  ])('%s', (path) => expect(isHashedName(path, noPlaces)).toBe(true))
})

describe('no hash', () => {
  it.each([
    '',
    'index.html',
    'about-3f2a1b4c.html',
    'about-3f2a1b4c.HTML',
    'assets/about-BdQ3mSxk.html',
    'style.css',
    'LICENSE',
    'main-3f2a1b4c',
    '.3f2a1b4c',
    '3f2a1b4c5d6e7f80.js',
    'BdQ3mSxk.js',
    'data/user-507f1f77bcf86cd799439011.json',
    'js/user-507f1f77bcf86cd799439011.js',
    '_astro/user-507f1f77bcf86cd799439011.json',
    'img/photo-1a2b3c4d.jpg',
    'assets/photo-1a2b3c4d.jpg',
    'avatars/0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d.png',
    'report-20240101.pdf',
    '_nuxt/report.20240101.json',
    'photo-1699999999999.jpg',
    'page-settings.js',
    '_nuxt/settings.js',
    '_app/immutable/assets/page-MyWidget.js',
    'intro-Chapter2.js',
    'item-550e8400-e29b-41d4-a716-44665544abcd.json',
    '_next/static/chunks/550e8400-e29b-41d4-a716-44665544abcd.js',
    'a-1a2b3c4.js',
    'a.1a2b3c4d/style.css',
    'v1.2.3/app.js',
  ])('%s', (path) => expect(isHashedName(path, noPlaces)).toBe(false))
})

describe('in a directory where most scripts and styles have hashes of one style', () => {
  const scripts = ['main.3f2a1b4c.js', 'main.9e8d7c6b.css', 'about.0f1e2d3c.js', 'sw.js']

  it.each([
    ['a picture', 'logo.1a2b3c4d.png'],
    ['data', 'table.1a2b3c4d.json'],
    ['a hash of figures only', 'page.12345678.js'],
    ['a hash of letters only', 'page.efcbaadf.js'],
  ])('%s of the same style is hashed', (_, name) => {
    expect(shareOf([name], scripts)).toBe(1)
    expect(shareOf([name])).toBe(0)
  })

  it.each([
    ['with another separator', 'photo-1a2b3c4d.jpg'],
    ['with another form', 'photo.BdQ3mSxk.jpg'],
    ['in another directory', 'img/photo.1a2b3c4d.jpg'],
    ['with a date', 'photo.20240101.jpg'],
  ])('a picture %s is not', (_, name) => {
    expect(shareOf([name], scripts)).toBe(0)
  })

  it('a picture that webpack names by nothing but a hash is hashed', () => {
    const output = ['main.0a1b2c3d4e5f60718293.js', 'about.1a2b3c4d5e6f70819203.js']
    expect(shareOf(['0448c72595e564f83053.jpg'], output)).toBe(1)
    expect(shareOf(['0448c72595e564f83053.jpg'])).toBe(0)
  })

  it('a picture that Vite copies is hashed, also by a hash without small letters', () => {
    const output = ['assets/index-BdQ3mSxk.js', 'assets/index-D3k1a9Xz.css']
    expect(shareOf(['assets/vite-BF4QNONU.svg'], output)).toBe(1)
    expect(shareOf(['assets/vite-BF4QNONU.svg'])).toBe(0)
  })

  it('a picture that Angular copies to media is hashed', () => {
    const output = ['main-5XKJ2HPF.js', 'styles-7XKJ2HPF.css']
    expect(shareOf(['media/logo-A5BCD3EF.png'], output)).toBe(1)
    expect(shareOf(['img/logo-A5BCD3EF.png'], output)).toBe(0)
  })

  it('no words are, nor what is mostly unhashed', () => {
    expect(shareOf(['assets/page-settings.js', 'assets/page-MyWidget.js'], ['assets/a-B2dQ7xZ1.js'])).toBe(0)
    expect(shareOf(['logo.1a2b3c4d.png'], [...scripts, 'a.js', 'b.js', 'c.js'])).toBe(0)
  })
})
