/** What a file's path says about its content. */
import { expect, it } from 'vitest'
import { contentType, isCompressible, knownType } from '../../../src/lib/names/media-type.ts'

it.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['a/B.HTML', 'text/html; charset=utf-8'],
  ['style.css', 'text/css; charset=utf-8'],
  ['app.js', 'text/javascript; charset=utf-8'],
  ['app.mjs', 'text/javascript; charset=utf-8'],
  ['umd.cjs', 'text/javascript; charset=utf-8'],
  ['UMD.CJS', 'text/javascript; charset=utf-8'],
  ['app.es', 'text/javascript; charset=utf-8'],
  ['app.jsm', 'text/javascript; charset=utf-8'],
  ['vpn.mobileconfig', 'application/x-apple-aspen-config'],
  ['tickets.pkpass', 'application/vnd.apple.pkpass'],
  ['tickets.pkpasses', 'application/vnd.apple.pkpasses'],
  ['shoes.order', 'application/vnd.apple.order'],
  ['chair.usdz', 'model/vnd.usdz+zip'],
  ['chair.reality', 'model/vnd.reality'],
  ['page.sxg', 'application/signed-exchange;v=b3'],
  ['photo.jfif', 'image/jpeg'],
  ['photo.pjpeg', 'image/jpeg'],
  ['photo.pjp', 'image/jpeg'],
  ['hand.cur', 'image/vnd.microsoft.icon'],
  ['jane.vcf', 'text/vcard; charset=utf-8'],
  ['song.flac', 'audio/flac'],
  ['film.m4v', 'video/x-m4v'],
  ['film.ts', 'video/mp2t'],
  ['film.mts', 'video/mp2t'],
  ['film.vtt', 'text/vtt; charset=utf-8'],
  ['data.json', 'application/json; charset=utf-8'],
  ['app.js.map', 'application/json; charset=utf-8'],
  ['feed.xml', 'application/xml; charset=utf-8'],
  ['feed.atom', 'application/atom+xml; charset=utf-8'],
  ['page.xhtml', 'application/xhtml+xml; charset=utf-8'],
  ['logo.svg', 'image/svg+xml; charset=utf-8'],
  ['site.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['robots.txt', 'text/plain; charset=utf-8'],
  ['photo.png', 'image/png'],
  ['font.woff2', 'font/woff2'],
  ['code.wasm', 'application/wasm'],
  ['doc.pdf', 'application/pdf'],
  ['apple-app-site-association', 'application/json; charset=utf-8'],
  ['.well-known/apple-app-site-association', 'application/json; charset=utf-8'],
  ['a/apple-app-site-association', 'application/octet-stream'],
  ['.well-known/openid-configuration', 'application/json; charset=utf-8'],
  ['.well-known/oauth-authorization-server/issuer1', 'application/json; charset=utf-8'],
  ['.well-known/webfinger', 'application/jrd+json; charset=utf-8'],
  ['.well-known/host-meta', 'application/xrd+xml; charset=utf-8'],
  ['.well-known/host-meta.json', 'application/json; charset=utf-8'],
  ['.well-known/matrix/server', 'application/json; charset=utf-8'],
  ['.well-known/lnurlp/jane', 'application/json; charset=utf-8'],
  ['.well-known/atproto-did', 'text/plain; charset=utf-8'],
  ['.well-known/assetlinks.json', 'application/json; charset=utf-8'],
  ['.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['.well-known/unknown-to-all', 'application/octet-stream'],
  ['a/.well-known/webfinger', 'application/octet-stream'],
  ['.well-known/constructor', 'application/octet-stream'],
  ['a.b/LICENSE', 'application/octet-stream'],
  ['js', 'application/octet-stream'],
  ['html', 'application/octet-stream'],
  ['.html', 'application/octet-stream'],
  ['file.', 'application/octet-stream'],
  ['file.unknown-to-all', 'application/octet-stream'],
  ['file.constructor', 'application/octet-stream'],
])('%s is %s', (path, type) => expect(contentType(path)).toBe(type))

it('returns no type for a name without an extension', () => {
  expect(knownType('js')).toBeUndefined()
  expect(knownType('v1.2/page')).toBeUndefined()
  expect(knownType('a/x.css')).toBe('text/css')
})

it.each([
  ...[
    'index.html',
    'A.CSS',
    'app.js',
    'app.mjs',
    'umd.cjs',
    'data.json',
    'app.js.map',
    'feed.xml',
    'logo.svg',
    'robots.txt',
  ],
  ...['site.webmanifest', 'code.wasm', 'font.ttf', 'font.otf', 'font.eot', 'favicon.ico', 'places.geojson'],
])('%s is worth compressing', (path) => expect(isCompressible(path)).toBe(true))

it.each([
  ...['photo.png', 'photo.jpg', 'photo.webp', 'font.woff', 'font.woff2', 'film.mp4', 'doc.pdf', 'all.zip'],
  ...['app.js.br', 'app.js.gz', 'LICENSE', 'html', '.html', 'file.unknown-to-all', 'film.ts'],
])('%s is not worth compressing', (path) => expect(isCompressible(path)).toBe(false))

it('a file that is compressed by its format isn’t worth compressing', () => {
  expect(['logo.svg', 'logo.svgz', 'LOGO.SVGZ', 'app.js'].map(isCompressible)).toEqual([
    true,
    false,
    false,
    true,
  ])
})
