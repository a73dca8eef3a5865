import { once } from 'node:events'
import { createServer } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '../../../src/stores/db/schema/people.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { newBrowser } from '../../support/browser.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { callsOf, newLink, newPerson, password, signIn, useLink } from '../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const anybody = () => callsOf(node, newBrowser())

describe('signing in', () => {
  it('sets a cookie that is HttpOnly and limited to this site', async () => {
    const person = await newPerson(node)
    const { status, headers, body } = await person.call('POST', '/sign-in/email', person)
    expect(status).toBe(400)
    expect(body.issues.map(({ path }: { path: string }) => path)).toContain('browser')
    const { email } = person
    const answer = await person.call('POST', '/sign-in/email', { email: email.toUpperCase(), password })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(headers.getSetCookie()).toEqual([])
  })

  it('returns the user, without the token', async () => {
    const person = await signIn(node, await newPerson(node))
    const { body } = await person.call('GET', '/get-session', undefined, { 'user-agent': 'a browser' })
    expect(body).toEqual({
      session: {
        id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        expiresAt: expect.any(String),
        ipAddress: '127.0.0.1',
        userAgent: expect.any(String),
      },
      user: {
        id: expect.stringMatching(/^usr_/),
        email: person.email,
        emailVerified: true,
        name: person.email,
        createdAt: expect.any(String),
      },
    })
    const [token = ''] = person.browser.cookies('localhost').get('svc.session_token')?.split('.') ?? []
    expect(JSON.stringify(body)).not.toContain(token)
  })

  it('works with the token as a bearer token, too', async () => {
    const person = await newPerson(node)
    const { body } = await person.call('POST', '/sign-in/email', { email: person.email, password })
    const bearer = { authorization: `Bearer ${body.token}` }
    const elsewhere = callsOf(node, newBrowser())
    expect((await elsewhere('GET', '/get-session', undefined, bearer)).body.user.email).toBe(person.email)
    expect((await elsewhere('POST', '/sign-out', undefined, bearer)).status).toBe(200)
    expect((await elsewhere('GET', '/get-session', undefined, bearer)).body).toBeNull()
  })

  it('answers a wrong password, an unknown address and a user without a password alike', async () => {
    const person = await newPerson(node)
    const noPassword = await newPerson(node)
    const { db } = node.installation.store
    const [user] = await db.select().from(users).where(eq(users.email, noPassword.email))
    await db.delete(accounts).where(eq(accounts.userId, user?.id ?? ''))
    const answers = await Promise.all(
      [person.email, `${unique('nobody')}@example.com`, noPassword.email].map((email) =>
        anybody()('POST', '/sign-in/email', { email, password: 'not the password' }),
      ),
    )
    for (const { status, headers, body } of answers) {
      expect({ ...body, request_id: '' }).toEqual({
        code: 'UNAUTHORIZED',
        reason: 'sign_in_failed',
        message: 'The address or the password is wrong.',
        request_id: '',
      })
      expect({ status, cookies: headers.getSetCookie() }).toEqual({ status: 401, cookies: [] })
    }
  })

  it.each([
    [{}, 'email'],
    [{ email: 'ada@example.com' }, 'password'],
    [{ email: 'ada', password }, 'email'],
    [{ email: ['ada@example.com'], password }, 'email'],
    [{ email: 'ada@example.com', password: 'x'.repeat(129) }, 'password'],
    [{ email: 'ada@example.com', password, remember: true }, 'remember'],
    [{ email: 'ada@example.com', password, callbackURL: 'https://evil.test' }, 'callbackURL'],
  ])('400 for %j, which names the field', async (input, path) => {
    const { status, body } = await anybody()('POST', '/sign-in/email', input)
    expect({ status, reason: body.reason, path: body.issues?.[0]?.path }).toEqual({
      status: 400,
      reason: 'invalid_input',
      path,
    })
  })

  it('accepts only small JSON bodies', async () => {
    const post = (body: string, type: string) =>
      fetch(`${node.apiUrl}/auth/sign-in/email`, { method: 'POST', body, headers: { 'content-type': type } })
    const form = 'email=ada%40example.com&password=x'
    expect((await post(form, 'application/x-www-form-urlencoded')).status).toBe(400)
    expect((await post('{"email":"a","email":"b"', 'application/json')).status).toBe(400)
    expect((await post(JSON.stringify({ email: 'x'.repeat(9_000) }), 'application/json')).status).toBe(413)
  })

  it('logs neither passwords nor tokens', async () => {
    const person = await signIn(node, await newPerson(node))
    const [token = '?'] = person.browser.cookies('localhost').get('svc.session_token')?.split('.') ?? []
    await person.call('GET', '/get-session')
    const log = node.logged.join('')
    expect(log).toContain('/auth/sign-in/email')
    for (const secret of [password, 'not the password', token]) expect(log).not.toContain(secret)
  })
})

describe('a page on another site', () => {
  const elsewhere = { origin: 'https://evil.test' }

  it('cannot use a signed-in user’s cookie', async () => {
    const person = await signIn(node, await newPerson(node))
    const { body: before } = await person.call('GET', '/get-session')
    for (const [path, input] of [
      ['/sign-out', undefined],
      ['/revoke-session', { id: before.session.id }],
      ['/revoke-other-sessions', undefined],
      ['/change-password', { currentPassword: password, newPassword: 'another password' }],
      ['/sign-in/email', { email: person.email, password }],
    ] as const) {
      for (const headers of [elsewhere, { origin: 'null' }, { origin: '', referer: 'https://evil.test/' }]) {
        const { status, body } = await person.call('POST', path, input, headers)
        expect({ path, status, reason: body.reason }).toEqual({
          path,
          status: 403,
          reason: 'origin_not_allowed',
        })
      }
    }
    expect((await person.call('GET', '/get-session')).body).toEqual(before)
  })

  it('cannot sign somebody in', async () => {
    const { email } = await newPerson(node)
    const answer = await anybody()('POST', '/sign-in/email', { email, password }, elsewhere)
    expect(answer).toMatchObject({ status: 403, body: { reason: 'origin_not_allowed' } })
  })
})

describe('below /auth', () => {
  it.each([
    ['POST', '/sign-up/email'],
    ['POST', '/update-user'],
    ['POST', '/delete-user'],
    ['POST', '/change-email'],
    ['POST', '/request-password-reset'],
    ['POST', '/reset-password'],
    ['GET', '/verify-email?token=x'],
    ['POST', '/link-social'],
    ['POST', '/revoke-sessions'],
    ['GET', '/list-accounts'],
    ['POST', '/get-access-token'],
    ['GET', '/ok'],
    ['GET', '/callback/github'],
    ['POST', '/sign-in/oauth2'],
    ['GET', '/'],
  ])('nothing else exists: %s %s', async (method, path) => {
    const person = await signIn(node, await newPerson(node))
    const { status, body } = await person.call(method, path, method === 'POST' ? {} : undefined)
    expect({ status, reason: body.reason, id: typeof body.request_id }).toEqual({
      status: 404,
      reason: 'unknown_path',
      id: 'string',
    })
  })

  it('HEAD is answered like GET', async () => {
    for (const path of ['', '/sign-in', '/get-session', '/providers', '/error', '/link']) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => fetch(`${node.apiUrl}/auth${path}`, { method })),
      )
      expect({ path, status: head?.status }).toEqual({ path, status: get?.status })
    }
  })

  it('405 with Allow for another method', async () => {
    const { status, headers } = await anybody()('DELETE', '/get-session')
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })

  it('there is no provider unless the settings name one', async () => {
    expect((await anybody()('GET', '/providers')).body).toEqual({ password: true, oidc: null })
    const { status } = await anybody()('POST', '/sign-in/social', { provider: 'oidc' })
    expect(status).toBe(404)
    expect((await anybody()('POST', '/sign-in/social', { provider: 'google' })).status).toBe(400)
  })
})

describe('when the public URL is https', () => {
  let secure: TestNode
  let port: number

  beforeAll(async () => {
    const server = createServer().listen(0)
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
    server.close()
    secure = await startTestNode({ SVC_PORT: String(port), SVC_URL: 'https://svc.example.com' })
  })

  afterAll(() => secure.stop())

  it('the cookie is Secure, and accepted from that origin only', async () => {
    const email = `${unique('tls')}@example.com`
    const { token, url } = await newLink(secure, email)
    expect(url).toMatch(/^https:\/\/svc\.example\.com\/auth\/link\?token=/)
    const local = { ...secure, apiUrl: `http://localhost:${port}` }
    await useLink(local, token, {}, newBrowser(), { origin: 'https://svc.example.com' })
    const post = (origin: string) =>
      fetch(`${local.apiUrl}/auth/sign-in/email`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
    expect((await post(local.apiUrl)).status).toBe(403)
    const [cookie] = (await post('https://svc.example.com')).headers.getSetCookie()
    expect(cookie).toMatch(/^__Secure-svc\.session_token=[^;]+;.* HttpOnly; Secure; SameSite=Lax$/)
  })
})

describe('the session', () => {
  it('is a credential for the API, in its cookie and as Bearer, until it is signed out', async () => {
    const person = await signIn(node, await newPerson(node))
    const { browser } = person
    const overview = `${node.apiUrl}/v1/overview`
    const token = decodeURIComponent(browser.cookies('localhost').get('svc.session_token') ?? '')
    const asBearer = () => fetch(overview, { headers: { authorization: `Bearer ${token}` } })
    const { status, text } = await browser.call('GET', overview)
    expect(status).toBe(200)
    expect(JSON.parse(text).credential).toEqual({
      kind: 'session',
      prefix: null,
      role: 'owner',
      expires_ms: expect.any(Number),
    })
    expect((await asBearer()).status).toBe(200)
    await person.call('POST', '/sign-out')
    expect((await asBearer()).status).toBe(401)
  })
})
