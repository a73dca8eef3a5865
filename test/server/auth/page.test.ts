/** What the pages of signing in do with what others have written, and where they may be shown. */
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { escapeHtml, sendPage } from '../../../src/server/auth/page.ts'

it('text becomes no tag, no attribute and no entity', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;',
  )
})

it('a page runs no script, stands in no frame, is kept by nobody, and tells nobody its address', async () => {
  const app = fastify()
  app.get('/', (_, reply) => sendPage(reply, 400, 'A & B', '<p>Hello</p>'))
  const { statusCode, headers, body } = await app.inject('/')
  expect(statusCode).toBe(400)
  expect(body).toContain('<title>A &amp; B</title>')
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]))
  expect(policy.filter((directive) => directive.startsWith('script-src'))).toEqual([])
})
