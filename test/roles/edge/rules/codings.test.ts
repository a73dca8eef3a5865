/** Files that come compressed: which they are, and how they are served. */
import { describe, expect, it } from 'vitest'
import { parseHeaders } from '../../../../src/platform/sites/rules/headers.ts'
import { createManifest } from '../../../../src/roles/edge/manifest.ts'
import { createFindCoding } from '../../../../src/roles/edge/rules/codings.ts'
import { readHead } from '../../../../src/roles/edge/wire/request-head.ts'
import { parseTarget } from '../../../../src/roles/edge/wire/target.ts'
import { decideAnswer } from '../decide-answer.ts'

const headersOf = (text: string) => parseHeaders(text).rules.map(({ rule }) => rule)

const unity = `/Build/*.br
  Content-Encoding: br
/Build/*.wasm.br
  Content-Type: application/wasm
/pre/*
  Content-Encoding: gzip
/pre/plain.css
  X-A: 1
/pre/new.js
  content-encoding: br`

describe('the coding of a file', () => {
  const codingOf = createFindCoding(headersOf(unity))

  it.each([
    ['Build/game.wasm.br', 'br'],
    ['Build/a/b.data.br', 'br'],
    ['build/game.wasm.br', undefined],
    ['Build/game.wasm', undefined],
    ['pre/app.js', 'gzip'],
    ['pre/new.js', 'br'],
    ['logo.svgz', 'gzip'],
    ['a/LOGO.SVGZ', 'gzip'],
    ['logo.svg', undefined],
    ['site.tar.gz', undefined],
  ])('%s: %s', (path, coding) => expect(codingOf(path)).toBe(coding))
})

describe('such a file', () => {
  const paths = ['Build/game.wasm.br', 'pre/app.js', 'logo.svgz', '404.html', 'index.html']
  const forms = { br: { object: 'small', size: 7 } }
  const files = paths.map((path) => ({ path, sha256: 'ab'.repeat(32), size: 100, object: path, forms }))
  const manifest = createManifest(files, { redirects: [], headers: headersOf(unity) })

  function headersAt(address: string, ...fields: string[]) {
    const target = parseTarget(address)
    const head = readHead(fields)
    if (!target || typeof head === 'number') throw new Error('This is refused before.')
    const { answer, file } = decideAnswer(
      { method: 'GET', target, head },
      { isProtected: false, spa: false },
      manifest,
    )
    const names = answer.headers.filter((_, index) => index % 2 === 0)
    const values = Object.fromEntries(names.map((name, index) => [name, answer.headers[index * 2 + 1]]))
    expect(Object.keys(values)).toHaveLength(names.length)
    return { ...values, object: file?.object, status: answer.status }
  }

  it.each([
    ['/Build/game.wasm.br', 'br', 'application/wasm'],
    ['/pre/app.js', 'gzip', 'text/javascript; charset=utf-8'],
    ['/logo.svgz', 'gzip', 'image/svg+xml; charset=utf-8'],
  ])('%s is served as it is, whatever a client accepts', (address, coding, type) => {
    for (const accepted of ['br, gzip', 'identity', 'br']) {
      const headers = headersAt(address, 'Accept-Encoding', accepted)
      expect(headers).toMatchObject({
        'Content-Encoding': coding,
        'Content-Type': type,
        'Content-Length': '100',
        object: address.slice(1),
      })
      expect(headers).not.toHaveProperty('Vary')
    }
  })

  it('has ranges of its bytes as they are, and no parts of several', () => {
    const one = headersAt('/pre/app.js', 'Range', 'bytes=0-9')
    expect(one).toMatchObject({ status: 206, 'Content-Encoding': 'gzip', 'Content-Length': '10' })
    expect(headersAt('/pre/app.js', 'Range', 'bytes=0-9,20-29')).toMatchObject({ status: 200 })
  })

  it('leaves all others with the server’s own forms', () => {
    const headers = headersAt('/', 'Accept-Encoding', 'br')
    expect(headers).toMatchObject({ 'Content-Encoding': 'br', object: 'small', Vary: 'Accept-Encoding' })
    expect(headersAt('/Build/none.br')).toMatchObject({ status: 404 })
  })
})
