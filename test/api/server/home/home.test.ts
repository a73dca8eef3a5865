/** The page at `/`, for anonymous and for signed-in visitors. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../../../src/lib/version.ts'
import { newBrowser } from '../../../support/browser.ts'
import { sharedNode, startTestNode, type TestNode } from '../../../support/node.ts'
import { newPerson, signIn } from '../../../support/person.ts'
import { freePort } from '../../../support/ports.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

describe('GET /', () => {
  it('has a description, its version, and links', async () => {
    const page = await newBrowser().visit(`${node.apiUrl}/`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.text).toContain(`version ${version} at <code>${node.apiUrl}</code>`)
    expect(page.text).not.toContain('<script')
    const links = [...page.text.matchAll(/<a href="([^"]+)"/g)].map(([, place]) => place ?? '')
    expect(links).toEqual(expect.arrayContaining(['/docs', '/openapi.json', '/auth/sign-in']))
    for (const place of links)
      expect({ place, status: (await fetch(new URL(place, node.apiUrl))).status }).toEqual({
        place,
        status: 200,
      })
  })

  it('has the signed-in user’s name and teams', async () => {
    const person = await signIn(node, await newPerson(node))
    const page = await person.browser.visit(`${node.apiUrl}/`)
    expect(page.text).toContain(`<strong>${person.email}</strong>`)
    expect(page.text).toContain(`<strong>${person.email.split('@')[0]}</strong> (owner, free plan)`)
    expect(page.text).not.toContain('href="/auth/sign-in"')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  it('is the anonymous page for a made-up cookie', async () => {
    for (const token of ['x', 'a'.repeat(32), `${'a'.repeat(32)}.${'b'.repeat(43)}%3D`]) {
      const response = await fetch(`${node.apiUrl}/`, { headers: { cookie: `svc.session_token=${token}` } })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('href="/auth/sign-in"')
    }
  })

  it.each([
    ['svc.tgz', 'npm install -g'],
    ['client.tgz', 'npm install'],
  ])(
    'has the command to install %s, and its SHA-256, which is that of the archive',
    async (file, command) => {
      const { text } = await newBrowser().visit(`${node.apiUrl}/`)
      expect(text).toContain(`${command} ${node.apiUrl}/${file}`)
      const archive = await (await fetch(`${node.apiUrl}/${file}`)).arrayBuffer()
      const sha256 = createHash('sha256').update(Buffer.from(archive)).digest('hex')
      expect(text).toContain(`${file}</a> <code>${sha256}</code>`)
    },
  )

  it('HEAD has its headers; other methods are 405', async () => {
    const { status, headers } = await fetch(`${node.apiUrl}/`, { method: 'HEAD' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await fetch(`${node.apiUrl}/`, { method: 'POST' })).status).toBe(405)
  })

  it('draws from the limit of the client’s address', async () => {
    const { headers } = await newBrowser().visit(`${node.apiUrl}/`)
    expect(headers.get('ratelimit-policy')).toMatch(/^"anonymous"/)
  })
})

describe('where the URL is plain http, and not of this machine', () => {
  let exposed: TestNode
  let url: string

  beforeAll(async () => {
    const port = await freePort()
    exposed = await startTestNode({
      SVC_PORT: port,
      SVC_URL: 'http://svc.example.com',
      SVC_RATE_ANONYMOUS: '1/3',
    })
    url = `http://127.0.0.1:${port}/`
  })

  afterAll(() => exposed.stop())

  it('the page warns', async () => {
    expect(await (await fetch(url)).text()).toContain('is plain http')
    expect((await newBrowser().visit(`${node.apiUrl}/`)).text).not.toContain('is plain http')
  })

  it('429 is a page with the time to retry', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => fetch(url)))
    const limited = pages.find(({ status }) => status === 429)
    expect(limited?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(limited?.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await limited?.text()).toContain('<h1>Too many requests</h1>')
  })
})
