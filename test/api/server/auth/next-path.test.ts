/** Which paths signing in may lead to. */
import { expect, it } from 'vitest'
import { nextSchema } from '../../../../src/api/server/auth/next-path.ts'

const nextOf = (next: unknown) => nextSchema.parse({ next }).next

it.each([
  '/',
  '/acme',
  '/acme/~/domains/example.com',
  '/acme/web?tab=1#line-2',
  '/a?url=https://example.com/',
])('%s is accepted as it is', (path) => {
  expect(nextOf(path)).toBe(path)
})

it('is encoded as browsers encode it', () => {
  expect(nextOf('/acme/é"<')).toBe('/acme/%C3%A9%22%3C')
})

it.each([
  ...['', 'acme', 'https://evil.test/', 'javascript:alert(1)', '//evil.test', '///evil.test', '/\\evil.test'],
  ...['\\\\evil.test', '/\t/evil.test', '/\n/evil.test', '\t//evil.test', ' //evil.test', '/.//evil.test'],
  ...[
    '/..//evil.test',
    '/acme/..//evil.test',
    '/%2e//evil.test',
    '/a\\b',
    '/a\u0000',
    `/${'a'.repeat(3_000)}`,
  ],
  ...[undefined, null, 7, ['/acme', '/web'], { path: '/acme' }],
])('%j leads to /', (next) => {
  expect(nextOf(next)).toBe('/')
})

it.each([undefined, null, 'next', []])('so does a query or form that is %j', (given) => {
  expect(nextSchema.parse(given)).toEqual({ next: '/' })
})
