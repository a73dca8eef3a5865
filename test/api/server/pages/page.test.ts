/** How pages may be embedded, and what they may load. */
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { html } from '../../../../src/api/server/pages/html.ts'
import { sendPage } from '../../../../src/api/server/pages/page.ts'

it('a page runs no script, is never framed or cached, and sends no Referer to other sites', async () => {
  const app = fastify()
  app.get('/', (_, reply) => sendPage(reply, 400, 'A & B', html`<p>Hello</p>`))
  const { statusCode, headers, body } = await app.inject('/')
  expect(statusCode).toBe(400)
  expect(body).toContain('<title>A &amp; B · svc</title>')
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"]),
  )
  expect(policy.filter((directive) => directive.startsWith('script-src'))).toEqual([])
  expect(policy.join(' ')).not.toMatch(/unsafe|https?:|\*/)
})
