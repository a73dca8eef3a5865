/** Where visitors go on after being let in. */
import { expect, it } from 'vitest'
import { safeReturnPath } from '../../../../src/roles/edge/visitors/return-path.ts'

it.each([
  ['/', '/'],
  ['/docs/?a=1&b=//evil.test', '/docs/?a=1&b=//evil.test'],
  ['/a%2Fb', '/a%2Fb'],
  ['/ü'.replace('ü', '%C3%BC'), '/%C3%BC'],
  ['/?x=\u00fc', '/?x=%FC'],
  ['//evil.test/x', '/evil.test/x'],
  ['/%2f%2fevil.test', '/%2F%2Fevil.test'],
])('%j leads to %s', (text, path) => {
  expect(safeReturnPath(text)).toBe(path)
})

it.each([
  'https://evil.test/',
  'evil.test',
  '',
  '/\\evil.test',
  '/%5cevil.test',
  '/x\r\nset-cookie: a=b',
  '/x%0d%0ay',
  '/\tx',
  '/a/../b',
  '/.well-known/svc/enter?code=x',
  '/%2Ewell-known/svc/password',
  `/${'x'.repeat(1_300)}`,
])('%j leads to the front page', (text) => {
  expect(safeReturnPath(text)).toBe('/')
})

it('leaves out secrets', () => {
  expect(safeReturnPath('/a?x-svc-bypass=s&b=1&x-svc-share=t&x%2Dsvc-share=u')).toBe('/a?b=1')
})
