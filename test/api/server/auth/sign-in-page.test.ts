/** Signing in and out with a browser that runs no script; only passkeys take one. */
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { showSignIn } from '../../../../src/api/server/auth/sign-in-page.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type Browser, newBrowser } from '../../../support/browser.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { startProvider, type TestProvider } from '../../../support/oidc.ts'
import { newLink, newPerson, password, signIn, useLink } from '../../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const signInPath = '/auth/sign-in'
const signOutPath = '/auth/sign-out/form'
const sessionOf = (browser: Browser) => browser.cookies('localhost').get('svc.session_token')

function submit(browser: Browser, path: string, fields: Record<string, string> = {}, headers = {}) {
  return browser.submit(`${node.apiUrl}${path}`, fields, headers)
}

describe('the sign-in page', () => {
  it.each(['/auth', signInPath])('is at %s', async (path) => {
    const page = await newBrowser().visit(`${node.apiUrl}${path}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<form method="post" action="${signInPath}">`)
    expect(page.text).not.toContain('oidc')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  })

  it('runs the script for passkeys, of its own origin, and no other', async () => {
    const page = await newBrowser().visit(`${node.apiUrl}${signInPath}`)
    expect(page.text.match(/<script[^>]*>/g)).toEqual(['<script src="/auth/passkey.js" defer>'])
    const policy = page.headers.get('content-security-policy')?.split('; ') ?? []
    expect(policy.filter((directive) => directive.startsWith('script-src'))).toEqual(["script-src 'self'"])
    expect(page.text).toMatch(/<form id="passkey" hidden[^>]*>\n<button class="plain">Sign in with a passkey/)
    const script = await fetch(`${node.apiUrl}/auth/passkey.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('says why there are no passkeys at an address where browsers have none, without a script', async () => {
    const app = fastify()
    const page = { apiUrl: 'http://192.0.2.1', providerName: undefined, canMail: false, next: '/' }
    app.get('/', (_, reply) => showSignIn(reply, 200, page))
    const { headers, body } = await app.inject('/')
    expect(body).toContain('Passkeys work at an https address with a host name only')
    expect(body).not.toMatch(/<script|id="passkey"/)
    expect(headers['content-security-policy']).not.toContain('script-src')
  })

  it('redirects a signed-in user to /', async () => {
    const { browser } = await signIn(node, await newPerson(node))
    expect(new URL((await browser.visit(`${node.apiUrl}/auth`)).url).pathname).toBe('/')
  })

  it('signs in, and redirects to /', async () => {
    const { email } = await newPerson(node)
    const browser = newBrowser()
    const page = await submit(browser, signInPath, { email, password })
    expect({ status: page.status, path: new URL(page.url).pathname }).toEqual({ status: 200, path: '/' })
    expect(page.text).toContain(`<strong>${email}</strong>`)
  })

  it('redirects nowhere else, whatever the form contains', async () => {
    const { email } = await newPerson(node)
    const away = 'https://evil.test/'
    const page = await submit(newBrowser(), `${signInPath}?next=${away}&callbackURL=${away}`, {
      email,
      password,
      next: away,
      callbackURL: away,
      redirectTo: away,
    })
    expect(page.url).toBe(`${node.apiUrl}/`)
  })

  it('leads back to the path that a person came for, also after a mistake', async () => {
    const { email } = await newPerson(node)
    const next = '/acme/web?tab=<logs>'
    const browser = newBrowser()
    const first = await browser.visit(`${node.apiUrl}${signInPath}?next=${encodeURIComponent(next)}`)
    const field = '<input type="hidden" name="next" value="/acme/web?tab=%3Clogs%3E">'
    expect(first.text).toContain(field)
    const mistaken = await submit(browser, signInPath, { email, password: 'not the password', next })
    expect(mistaken.text).toContain(field)
    const page = await submit(browser, signInPath, { email, password, next })
    expect(page.url).toBe(`${node.apiUrl}/acme/web?tab=%3Clogs%3E`)
    const again = await browser.visit(`${node.apiUrl}${signInPath}?next=/acme/web`)
    expect(again.url).toBe(`${node.apiUrl}/acme/web`)
  })

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', '/.//evil.test', '/\t/evil.test'])(
    'a person who is signed in is redirected nowhere else: %j',
    async (next) => {
      const { browser } = await signIn(node, await newPerson(node))
      const page = await browser.visit(`${node.apiUrl}${signInPath}?next=${encodeURIComponent(next)}`)
      expect(page.url).toBe(`${node.apiUrl}/`)
    },
  )

  it('keeps the email address after a mistake, but never the password', async () => {
    const { email } = await newPerson(node)
    for (const [fields, status, sentence] of [
      [{ email, password: 'not the password' }, 401, 'The address or the password is wrong.'],
      [{ email: '"><b>', password: 'not the password' }, 400, 'should be an email address'],
      [{ email, password: 'not the password'.repeat(20) }, 400, 'longer than any password'],
      [{}, 400, 'should be an email address'],
    ] as const) {
      const browser = newBrowser()
      const page = await submit(browser, signInPath, fields)
      expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
        status,
        type: 'text/html; charset=utf-8',
      })
      expect(page.text).toMatch(new RegExp(`<p role="alert">[^<]*${sentence}`))
      expect(page.text).not.toMatch(/not the password|<b>/)
      expect(page.text).toContain(
        'email' in fields ? `value="${fields.email.replace('"><b>', '&quot;&gt;&lt;b&gt;')}"` : 'value=""',
      )
      expect(sessionOf(browser)).toBeUndefined()
    }
  })

  it('accepts only small forms, and its errors are pages', async () => {
    const post = (body: string, type: string) =>
      fetch(`${node.apiUrl}${signInPath}`, {
        method: 'POST',
        body,
        redirect: 'manual' as const,
        headers: { 'content-type': type, origin: node.apiUrl },
      })
    for (const response of [
      await post('{}', 'application/json'),
      await post(`email=${'x'.repeat(10_000)}`, 'application/x-www-form-urlencoded'),
    ]) {
      expect([400, 413]).toContain(response.status)
      expect(await response.text()).toMatch(/<h1>The request is invalid<\/h1>\n<p>[A-Z]/)
    }
  })
})

describe('a session', () => {
  it('is new with each sign-in: an existing cookie is not reused', async () => {
    const { email } = await newPerson(node)
    const attacker = await signIn(node, await newPerson(node))
    const browser = newBrowser()
    const planted = sessionOf(attacker.browser) ?? ''
    browser.cookies('localhost').set('svc.session_token', planted)
    const page = await submit(browser, signInPath, { email, password })
    expect(page.text).toContain(email)
    expect(sessionOf(browser)).not.toBe(planted)
    expect((await attacker.call('GET', '/get-session')).body.user.email).toBe(attacker.email)
  })

  it('ends everywhere with the button on /', async () => {
    const { email } = await newPerson(node)
    const browser = newBrowser()
    const home = await submit(browser, signInPath, { email, password })
    expect(home.text).toContain(`<form method="post" action="${signOutPath}">`)
    const kept = sessionOf(browser) ?? ''
    const page = await submit(browser, signOutPath)
    expect(page.url).toBe(`${node.apiUrl}/`)
    expect(page.text).toContain(`href="${signInPath}"`)
    expect(sessionOf(browser)).toBeUndefined()
    const overview = await fetch(`${node.apiUrl}/v1/overview`, {
      headers: { cookie: `svc.session_token=${kept}` },
    })
    expect(overview.status).toBe(401)
  })
})

describe('a form on another site', () => {
  const others = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://localhost:1' },
    { origin: '', 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    { origin: '', referer: 'https://evil.test/' },
  ]

  it('signs nobody in, not even with a link, and nobody out', async () => {
    const person = await signIn(node, await newPerson(node))
    const { token } = await newLink(node, person.email)
    for (const headers of others) {
      for (const [path, fields] of [
        [signInPath, { email: person.email, password }],
        ['/auth/link', { token, password, again: password }],
        [`${signInPath}/oidc`, {}],
      ] as const) {
        const browser = newBrowser()
        const page = await submit(browser, path, fields, headers)
        expect({ path, headers, status: page.status }).toEqual({ path, headers, status: 403 })
        expect(page.text).toContain(`not sent from a page of ${node.apiUrl}`)
        expect(sessionOf(browser)).toBeUndefined()
      }
      expect((await submit(person.browser, signOutPath, {}, headers)).status).toBe(403)
    }
    expect((await person.call('GET', '/get-session')).body.user.email).toBe(person.email)
    expect((await useLink(node, token)).status).toBe(200)
  })

  it('a form on our own site is accepted under every name of this machine', async () => {
    const { email } = await newPerson(node)
    const browser = newBrowser()
    const address = node.apiUrl.replace('localhost', '127.0.0.1')
    const own = { origin: address, 'sec-fetch-site': 'same-origin' }
    const page = await browser.submit(`${address}${signInPath}`, { email, password }, own)
    expect(page.url).toBe(`${address}/`)
    expect(page.text).toContain(`<strong>${email}</strong>`)
  })
})

describe('a link', () => {
  it('signs the user in, and redirects to /', async () => {
    const email = `grace-${Date.now()}@example.com`
    const browser = newBrowser()
    const { token } = await newLink(node, email)
    const page = await useLink(node, token, {}, browser)
    expect({ status: page.status, url: page.url }).toEqual({ status: 200, url: `${node.apiUrl}/` })
    expect(page.text).toContain(`<strong>${email}</strong>`)
    expect(sessionOf(browser)).toBeDefined()
  })
})

it('a link leads to the path that was given with it', async () => {
  const { url, token } = await newLink(node, `next-${Date.now()}@example.com`)
  const { text } = await newBrowser().visit(`${url}&next=/acme/web`)
  expect(text).toContain('<input type="hidden" name="next" value="/acme/web">')
  expect((await useLink(node, token, { next: '/acme/web' })).url).toBe(`${node.apiUrl}/acme/web`)
})

describe('the button of the provider', () => {
  let provider: TestProvider
  let own: TestNode

  beforeAll(async () => {
    provider = await startProvider()
    own = await startOwnNode(provider.settings)
    provider.serve(own.apiUrl)
  })

  afterAll(async () => {
    await own.stop()
    provider.close()
  })

  it('redirects there, and back to / signed in', async () => {
    const email = `oidc-${Date.now()}@example.com`
    provider.person = { sub: email, email, email_verified: true, name: 'Ada <b>' }
    const browser = newBrowser()
    const { text } = await browser.visit(`${own.apiUrl}${signInPath}`)
    expect(text).toContain('Sign in with Example ID')
    const page = await browser.submit(`${own.apiUrl}${signInPath}/oidc`, {})
    const [, place = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text) ?? []
    expect(page.text).toContain(`<a href="${place}">Continue to Example ID</a>`)
    const home = await browser.visit(place.replaceAll('&amp;', '&'))
    expect(home.url).toBe(`${own.apiUrl}/`)
    expect(home.text).toContain(`<strong>${email}</strong> (Ada &lt;b&gt;)`)
  })

  it('leads back to the path that a person came for, and nowhere else', async () => {
    const email = `oidc-next-${Date.now()}@example.com`
    provider.person = { sub: email, email, email_verified: true, name: 'Ada' }
    for (const [next, path] of [
      ['/acme/~/domains/example.com?tab=1', '/acme/~/domains/example.com?tab=1'],
      ['//evil.test/', '/'],
    ] as const) {
      const browser = newBrowser()
      const page = await browser.submit(`${own.apiUrl}${signInPath}/oidc`, { next })
      const [, place = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text) ?? []
      const back = await browser.visit(place.replaceAll('&amp;', '&'))
      expect(back.url).toBe(`${own.apiUrl}${path}`)
    }
  })

  it('is missing without a provider', async () => {
    const page = await submit(newBrowser(), `${signInPath}/oidc`)
    expect(page.status).toBe(404)
    expect(page.text).toContain('<h1>Not found</h1>')
  })
})
