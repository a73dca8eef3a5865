/** Which paths are no site's. */
import { expect, it } from 'vitest'
import { isReserved } from '../../../../src/roles/edge/visitors/reserved.ts'
import { parseTarget } from '../../../../src/roles/edge/wire/target.ts'

const isReservedAt = (path: string) => {
  const target = parseTarget(path)
  return target && isReserved(target)
}

it.each([
  '/.well-known/svc',
  '/.well-known/svc/',
  '/.well-known/svc/enter?code=1',
  '/.well-known/svc/x/y',
  '/%2ewell-known/svc/x',
  '/%2Ewell-known%2fsvc%2fx',
  '/.well-known/%73vc/x',
  '//.well-known/svc/x',
  '/.well-known//svc///x',
  '/%2f/.well-known/svc',
  '/.WELL-Known/SVC/x',
  '/.well-known;a=b/svc;c/x',
  '/.well-known/svc;/x',
])('%s is reserved', (path) => {
  expect(isReservedAt(path)).toBe(true)
})

it.each([
  '/',
  '/.well-known',
  '/.well-known/svcx',
  '/.well-known/security.txt',
  '/.well-known/acme-challenge/svc',
  '/well-known/svc',
  '/x/.well-known/svc',
  '/.well-known-svc',
])('%s is not', (path) => {
  expect(isReservedAt(path)).toBe(false)
})

it.each(['/.well-known/./svc', '/x/../.well-known/svc', '/.well-known\\svc', '/.well-known%5csvc'])(
  '%s is no path at all',
  (path) => {
    expect(isReservedAt(path)).toBeUndefined()
  },
)
