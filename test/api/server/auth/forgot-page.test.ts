/** A new password by mail, with a browser that runs no script and a mail server on a real socket. */
import { once } from 'node:events'
import { request as send } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { accounts, personLinks } from '../../../../src/stores/db/schema/people.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { newBrowser } from '../../../support/browser.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { startProvider } from '../../../support/oidc.ts'
import { newLink, newPerson, type Person, signIn, useLink } from '../../../support/person.ts'
import { freePort } from '../../../support/ports.ts'
import { linkIn, type SmtpServer, startSmtpServer } from '../../../support/smtp-server.ts'

const forgotPath = '/auth/forgot'
const minuteMs = 60_000
const next = 'another long password'

let smtp: SmtpServer
let node: TestNode

beforeAll(async () => {
  smtp = await startSmtpServer()
  node = await startOwnNode(smtp.settings)
})

afterEach(() => {
  node.clock.aheadMs = 0
  smtp.manner = 'polite'
})

afterAll(async () => {
  await node.stop()
  await smtp.close()
})

const request = (email: string, headers: Record<string, string> = {}, of = node) =>
  newBrowser().submit(`${of.apiUrl}${forgotPath}`, { email }, headers)

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email))

/** Waits until there are so many mails, and returns the link in the last one. */
async function linkTo({ email }: { email: string }, mails = 1) {
  await expect.poll(() => mailsTo(email).length).toBe(mails)
  return linkIn(smtp.textTo(email))
}

async function resetOf(person: Person, mails = 1) {
  await request(person.email)
  return linkTo(person, mails)
}

/** Posts the form with a `Host` of its own, which `fetch` wouldn't send; resolves to the status. */
async function postTo(port: string, body: string, headers: Record<string, string>) {
  const type = 'application/x-www-form-urlencoded'
  const sent = send({ host: '127.0.0.1', port, path: forgotPath, method: 'POST' })
  for (const [name, value] of Object.entries({ ...headers, 'content-type': type }))
    sent.setHeader(name, value)
  sent.end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

/** Errands that were added before have found out by then what there is to send. */
async function settle() {
  await resetOf(await newPerson(node))
}

describe('the page', () => {
  it('is linked from the sign-in page, and has a form without a script', async () => {
    const signInPage = await newBrowser().visit(`${node.apiUrl}/auth/sign-in`)
    expect(signInPage.text).toContain(`<a href="${forgotPath}">Forgot your password?</a>`)
    const page = await newBrowser().visit(`${node.apiUrl}${forgotPath}`)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(`action="${forgotPath}"`) })
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  it('is on no node that can send no mails', async () => {
    const other = await sharedNode()
    expect((await newBrowser().visit(`${other.apiUrl}${forgotPath}`)).status).toBe(404)
    expect((await request('ada@example.com', {}, other)).status).toBe(404)
    expect((await newBrowser().visit(`${other.apiUrl}/auth/sign-in`)).text).not.toContain(forgotPath)
  })

  it('refuses forms of other sites', async () => {
    const { email } = await newPerson(node)
    expect((await request(email, { origin: 'https://evil.test' })).status).toBe(403)
    await settle()
    expect(mailsTo(email)).toEqual([])
  })

  it.each(['', 'ada', 'ada@example.com\r\nBcc: eve@evil.test', 'ada@example.com, eve@evil.test', '<b>@'])(
    '400 for %j, which is no address',
    async (email) => {
      const page = await request(email)
      expect(page).toMatchObject({ status: 400, text: expect.stringContaining('should be an email address') })
      expect(page.text).not.toContain('<b>')
    },
  )
})

describe('a request', () => {
  it('is answered the same whether or not there is an account', async () => {
    const { email } = await newPerson(node)
    const [known, unknown] = [await request(email), await request(`${unique('nobody')}@example.com`)]
    const plain = ({ headers, ...page }: typeof known) => ({
      ...page,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name)),
    })
    expect(known.status).toBe(200)
    expect(plain(unknown)).toEqual(plain(known))
  })

  it('is answered before a mail server that says nothing', async () => {
    smtp.manner = 'silent'
    const person = await newPerson(node)
    expect((await request(person.email)).status).toBe(200)
    expect((await signIn(node, person)).email).toBe(person.email)
  })

  it('makes neither a link nor a mail for an address without an account', async () => {
    const email = `${unique('nobody')}@example.com`
    await request(email)
    await settle()
    const { db } = node.installation.store
    expect(await db.select().from(personLinks).where(eq(personLinks.email, email))).toEqual([])
    expect(mailsTo(email)).toEqual([])
  })

  it('finds the account however the address is written', async () => {
    const person = await newPerson(node)
    await request(` ${person.email.toUpperCase()} `)
    expect((await linkTo(person)).token).not.toBe('')
  })

  it('brings at most three mails to a mailbox within an hour, and the last link still works', async () => {
    const person = await newPerson(node)
    for (let i = 0; i < 20; i += 1) expect((await request(person.email)).status).toBe(200)
    await settle()
    const { token } = await linkTo(person, 3)
    expect((await useLink(node, token)).status).toBe(200)
    node.clock.aheadMs = 61 * minuteMs
    await resetOf(person, 4)
  })

  it('draws from the limit of the address, as signing in does', async () => {
    const strict = await startOwnNode({ ...smtp.settings, SVC_RATE_ANONYMOUS: '1/3' })
    onTestFinished(() => strict.stop())
    const statuses = []
    for (let i = 0; i < 5; i += 1) statuses.push((await request('ada@example.com', {}, strict)).status)
    expect(statuses).toContain(429)
  })
})

describe('the mail', () => {
  it('has a link to the configured address, whatever the request claims', async () => {
    const port = await freePort()
    const apiUrl = 'https://svc.example.com'
    const own = await startOwnNode({ ...smtp.settings, SVC_URL: apiUrl, SVC_PORT: port })
    onTestFinished(() => own.stop())
    const { email } = await newPerson(own)
    const status = await postTo(port, new URLSearchParams({ email }).toString(), {
      origin: apiUrl,
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
    })
    expect(status).toBe(200)
    expect((await linkTo({ email })).url).toMatch(/^https:\/\/svc\.example\.com\/auth\/link\?/)
    expect(smtp.textTo(email)).not.toContain('evil')
  })

  it('is not logged, nor is its link', async () => {
    const person = await newPerson(node)
    const { token } = await resetOf(person)
    smtp.manner = 'refusing'
    await request(person.email)
    await expect.poll(() => node.logged.join('')).toContain('A mail was not sent.')
    expect(node.logged.join('')).not.toContain(person.email)
    expect(node.logged.join('')).not.toContain(token)
  })
})

describe('the link in the mail', () => {
  it('sets the password, signs in, and ends all other sessions', async () => {
    const person = await newPerson(node)
    const before = await signIn(node, person)
    const { url, token } = await resetOf(person)
    const form = await newBrowser().visit(url)
    expect(form.text).toContain('Sessions that are open elsewhere end.')
    const page = await useLink(node, token, { password: next, again: next })
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(person.email) })
    expect((await before.call('GET', '/get-session')).body).toBeNull()
    await expect(signIn(node, person)).rejects.toThrow('401')
    expect((await signIn(node, { ...person, password: next })).email).toBe(person.email)
  })

  it('works once, and leads on from there', async () => {
    const { token, url } = await resetOf(await newPerson(node))
    expect((await useLink(node, token)).status).toBe(200)
    expect((await useLink(node, token, { password: next, again: next })).status).toBe(404)
    const page = await newBrowser().visit(url)
    expect(page.status).toBe(404)
    expect(page.text).toContain(`<a href="${forgotPath}">`)
  })

  it('works for an hour', async () => {
    const { token, url } = await resetOf(await newPerson(node))
    node.clock.aheadMs = 59 * minuteMs
    expect((await newBrowser().visit(url)).status).toBe(200)
    node.clock.aheadMs = 60 * minuteMs
    expect((await useLink(node, token)).status).toBe(404)
  })

  it('is replaced by a newer one, and by one of the operator', async () => {
    const person = await newPerson(node)
    const first = await resetOf(person)
    const second = await resetOf(person, 2)
    expect((await useLink(node, first.token)).status).toBe(404)
    const { token } = await newLink(node, person.email)
    expect((await useLink(node, second.token)).status).toBe(404)
    expect((await useLink(node, token)).status).toBe(200)
  })

  it('sets no password of another person, whatever its form says', async () => {
    const [ada, grace] = [await newPerson(node), await newPerson(node)]
    const { token } = await resetOf(ada)
    await useLink(node, token, { email: grace.email, password: next, again: next })
    expect((await signIn(node, grace)).email).toBe(grace.email)
    expect((await signIn(node, { ...ada, password: next })).email).toBe(ada.email)
  })

  it('leads to no other site', async () => {
    const { token } = await resetOf(await newPerson(node))
    expect((await useLink(node, token, { next: 'https://evil.test/' })).url).toBe(`${node.apiUrl}/`)
  })
})

describe('a person who signs in at a provider alone', () => {
  it('gets a mail that says so, without a link, and no password', async () => {
    const provider = await startProvider()
    const own = await startOwnNode({ ...provider.settings, ...smtp.settings })
    provider.serve(own.apiUrl)
    onTestFinished(async () => {
      await own.stop()
      provider.close()
    })
    const { email } = await newPerson(own)
    const { db } = own.installation.store
    await db.update(accounts).set({ providerId: 'oidc', accountId: email, passwordHash: null })
    await request(email, {}, own)
    await expect.poll(() => smtp.textTo(email)).toContain('you sign in with Example ID')
    expect(smtp.textTo(email)).not.toContain('/auth/link')
    expect(await db.select().from(personLinks).where(eq(personLinks.email, email))).toEqual([])
  })
})

describe('a stop of the node', () => {
  it('does not wait for a mail server that says nothing', { tags: 'long' }, async () => {
    const own = await startOwnNode(smtp.settings)
    const { email } = await newPerson(own)
    smtp.manner = 'silent'
    await request(email, {}, own)
    await expect.poll(() => smtp.open()).toBeGreaterThan(0)
    const startedMs = performance.now()
    await own.stop()
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })
})
