/** Which `Content-Type` a path gets. */
import { expect, it } from 'vitest'
import { contentType, knownType } from '../../src/edge/media-type.ts'

it.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['a/B.HTML', 'text/html; charset=utf-8'],
  ['style.css', 'text/css; charset=utf-8'],
  ['app.js', 'text/javascript; charset=utf-8'],
  ['app.mjs', 'text/javascript; charset=utf-8'],
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
  ['a.b/LICENSE', 'application/octet-stream'],
  ['js', 'application/octet-stream'],
  ['html', 'application/octet-stream'],
  ['.html', 'application/octet-stream'],
  ['file.', 'application/octet-stream'],
  ['file.unknown-to-all', 'application/octet-stream'],
  ['file.constructor', 'application/octet-stream'],
])('%s is %s', (path, type) => expect(contentType(path)).toBe(type))

it('knows no type of a name without an extension', () => {
  expect(knownType('js')).toBeUndefined()
  expect(knownType('v1.2/page')).toBeUndefined()
  expect(knownType('a/x.css')).toBe('text/css')
})
