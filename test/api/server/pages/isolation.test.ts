/** No other window or site reaches a page of the API's origin. */
import { beforeAll, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../../../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

it.each(['/', '/docs', '/docs/reference', '/docs/nothing', '/auth/sign-in', '/auth/link?token=x'])(
  'the page %s says so',
  async (path) => {
    const { headers } = await fetch(new URL(path, node.apiUrl), { headers: { accept: 'text/html' } })
    expect(headers.get('content-type')).toContain('text/html')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  },
)
