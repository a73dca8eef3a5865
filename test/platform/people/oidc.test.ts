import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '../../../src/stores/db/schema/people.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { members, teams, users } from '../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { type Browser, newBrowser, type Page } from '../../support/browser.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { type Claims, startProvider, type TestProvider } from '../../support/oidc.ts'
import { callsOf, newPerson, signIn } from '../../support/person.ts'

let provider: TestProvider
let node: TestNode

beforeAll(async () => {
  provider = await startProvider()
  node = await startOwnNode(provider.settings)
  provider.serve(node.apiUrl)
})

afterAll(async () => {
  await node.stop()
  provider.close()
})

function newClaims(more: Partial<Claims> = {}): Claims {
  const sub = unique('sub')
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Lovelace', ...more }
}

/** Signs in at the provider as the user in `claims`, and follows the redirects back. */
async function comeBy(claims: Claims, browser = newBrowser(), places: object = {}): Promise<Page> {
  provider.person = claims
  const begun = await callsOf(node, browser)('POST', '/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/auth/get-session',
    ...places,
  })
  expect(begun).toMatchObject({ status: 200, body: { redirect: true } })
  return browser.visit(begun.body.url)
}

async function signedInAs(browser: Browser): Promise<{ id: string; email: string } | undefined> {
  const { body } = await callsOf(node, browser)('GET', '/get-session')
  return body?.user
}

describe('a provider', () => {
  it('is listed with its configured name', async () => {
    const { body } = await callsOf(node, newBrowser())('GET', '/providers')
    expect(body).toEqual({ password: true, oidc: { id: 'oidc', name: 'Example ID' } })
  })
})

describe('a user who signs in at the provider', () => {
  it('gets an account with a personal team, and is signed in', async () => {
    const { db } = node.installation.store
    const claims = newClaims()
    const browser = newBrowser()
    const page = await comeBy(claims, browser)
    expect(page).toMatchObject({ status: 200, url: `${node.apiUrl}/auth/get-session` })
    const user = await signedInAs(browser)
    expect(user).toMatchObject({ email: claims.email, emailVerified: true, name: 'Ada Lovelace' })
    const team = await db
      .select({ slug: teams.slug, name: teams.name, personal: teams.personal, role: members.role })
      .from(teams)
      .innerJoin(members, eq(members.teamId, teams.id))
      .where(eq(members.userId, user?.id ?? ''))
    const name = "Ada Lovelace's team"
    expect(team).toEqual([{ slug: claims.sub, name, personal: true, role: 'owner' }])
  })

  it('reads in the account where to sign in, and that there is no password', async () => {
    const browser = newBrowser()
    await comeBy(newClaims(), browser)
    const url = `${node.apiUrl}/trpc/account.get?input=%7B%7D`
    const { result } = JSON.parse((await browser.call('GET', url)).text)
    expect(result.data).toMatchObject({ password_set: false, provider: 'Example ID' })
  })

  it('is the same user the next time, also with another address there', async () => {
    const claims = newClaims()
    const first = newBrowser()
    await comeBy(claims, first)
    const second = newBrowser()
    await comeBy({ ...claims, email: `${unique('other')}@example.com` }, second)
    expect(await signedInAs(second)).toEqual(await signedInAs(first))
  })

  it('has the name from the provider, as far as it can be stored', async () => {
    for (const [name, stored] of [
      ['Ada\u202e\u200b Lovelace\u3164', 'Ada Lovelace'],
      [' Ada\u0000\nLovelace ', 'Ada Lovelace'],
      ['x'.repeat(500), 'x'.repeat(200)],
    ] as const) {
      const browser = newBrowser()
      await comeBy(newClaims({ name }), browser)
      expect(await signedInAs(browser)).toMatchObject({ name: stored })
    }
  })

  it('leaves none of the provider’s tokens in the database', async () => {
    const { db } = node.installation.store
    const claims = newClaims()
    await comeBy(claims)
    const [account] = await db.select().from(accounts).where(eq(accounts.accountId, claims.sub))
    expect(account).toMatchObject({ providerId: 'oidc', passwordHash: null })
    expect(Object.keys(account ?? {}).filter((name) => /token|scope/i.test(name))).toEqual([])
  })

  it('is the existing user with the same verified address', async () => {
    const known = await newPerson(node)
    const browser = newBrowser()
    await comeBy(newClaims({ email: known.email }), browser)
    const before = await signIn(node, known)
    expect(await signedInAs(browser)).toEqual((await before.call('GET', '/get-session')).body.user)
  })
})

describe('a user is not signed in', () => {
  async function expectNobody(browser: Browser): Promise<void> {
    expect(await signedInAs(browser)).toBeUndefined()
    expect([...browser.cookies('localhost').keys()]).not.toContain('svc.session_token')
  }

  it.each([{ email_verified: false }, { email_verified: undefined }])(
    'without a verified address there: %j',
    async (claim) => {
      const browser = newBrowser()
      const claims = { ...newClaims(), ...claim }
      const page = await comeBy(JSON.parse(JSON.stringify(claims)), browser)
      expect(page).toMatchObject({
        status: 400,
        url: expect.stringContaining('/auth/error?error=email_not_verified'),
      })
      expect(page.text).toContain('has not verified your email address')
      await expectNobody(browser)
      const { db } = node.installation.store
      expect(
        await db
          .select()
          .from(users)
          .where(eq(users.email, claims.email ?? '')),
      ).toEqual([])
    },
  )

  it('whose address there is no longer verified', async () => {
    const claims = newClaims()
    await comeBy(claims)
    const browser = newBrowser()
    const page = await comeBy({ ...claims, email_verified: false }, browser)
    expect(page.url).toContain('email_not_verified')
    await expectNobody(browser)
  })

  it('with the address of an existing user, unverified there', async () => {
    const known = await newPerson(node)
    const browser = newBrowser()
    const page = await comeBy(newClaims({ email: known.email, email_verified: false }), browser)
    expect(page.status).toBe(400)
    await expectNobody(browser)
  })

  it('with the address of an existing user, unverified here', async () => {
    const known = await newPerson(node)
    const { db } = node.installation.store
    await db.update(users).set({ emailVerified: false }).where(eq(users.email, known.email))
    const browser = newBrowser()
    const page = await comeBy(newClaims({ email: known.email }), browser)
    expect(page.url).toContain('error=account_not_linked')
    await expectNobody(browser)
  })

  it('with a callback meant for another browser', async () => {
    provider.person = newClaims()
    const attacker = newBrowser()
    const begun = await callsOf(node, attacker)('POST', '/sign-in/social', { provider: 'oidc' })
    const victim = newBrowser()
    expect((await victim.visit(begun.body.url)).status).toBe(400)
    await expectNobody(victim)
  })

  it('with a callback without a code, or with a made-up one', async () => {
    const browser = newBrowser()
    for (const query of ['', '?code=x', '?state=x', '?code=x&state=y', '?error=access_denied']) {
      const page = await browser.visit(`${node.apiUrl}/auth/callback/oidc${query}`)
      expect(page).toMatchObject({ status: 400 })
    }
    await expectNobody(browser)
  })
})

describe('the redirect back', () => {
  it('goes to the caller’s own error page, if it names one', async () => {
    const page = await comeBy({ ...newClaims(), email_verified: false }, newBrowser(), {
      errorCallbackURL: '/auth/providers',
    })
    expect(page.url).toMatch(/\/auth\/providers\?error=email_not_verified/)
  })

  it.each(['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])(
    'never goes elsewhere: %s',
    async (field) => {
      for (const place of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
        const { status, body } = await callsOf(node, newBrowser())('POST', '/sign-in/social', {
          provider: 'oidc',
          [field]: place,
        })
        expect({ status, reason: body.reason, path: body.issues?.[0]?.path }).toEqual({
          status: 400,
          reason: 'invalid_input',
          path: field,
        })
      }
    },
  )

  it('never shows text from the query on the error page', async () => {
    const page = await newBrowser().visit(
      `${node.apiUrl}/auth/error?error=<script>x</script>&error_description=hello`,
    )
    expect(page.text).not.toMatch(/<script|hello/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('an unreachable provider', () => {
  it('does not prevent signing in with a password', async () => {
    const silent = await startProvider()
    const other = await startOwnNode(silent.settings)
    try {
      const person = await newPerson(other)
      expect((await (await signIn(other, person)).call('GET', '/get-session')).body.user.email).toBe(
        person.email,
      )
      const { status, body } = await person.call('POST', '/sign-in/social', { provider: 'oidc' })
      expect({ status, reason: body.reason }).toEqual({ status: 503, reason: 'sign_in_unavailable' })
      silent.serve(other.apiUrl)
      expect(await person.call('POST', '/sign-in/social', { provider: 'oidc' })).toMatchObject({
        status: 200,
      })
    } finally {
      await other.stop()
      silent.close()
    }
  })
})

describe('a copy of the database', () => {
  it('opens no session', async () => {
    const browser = newBrowser()
    await comeBy(newClaims(), browser)
    const token = browser.cookies('localhost').get('svc.session_token')?.split('.')[0] ?? ''
    expect(token).toHaveLength(32)
    const rows = await node.installation.store.db.select().from(sessions)
    expect(JSON.stringify(rows)).not.toContain(token)
    for (const { tokenSha256 } of rows) {
      const response = await fetch(`${node.apiUrl}/auth/get-session`, {
        headers: { authorization: `Bearer ${tokenSha256}` },
      })
      expect(await response.json()).toBeNull()
    }
  })
})
