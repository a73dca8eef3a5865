/** Users for tests: each test has its own. */

import { createClient } from '../../src/api/client/index.ts'
import { newId } from '../../src/lib/ids.ts'
import { asSecret } from '../../src/lib/secret.ts'
import { createLink } from '../../src/platform/people/links.ts'
import { hashPassword } from '../../src/platform/people/password.ts'
import { insertPerson } from '../../src/platform/people/sign-up.ts'
import { useLink as setPassword } from '../../src/platform/people/use-link.ts'
import { accounts } from '../../src/stores/db/schema/people.ts'
import { type Browser, newBrowser, type Page } from './browser.ts'
import { knowSecret, knowSecretsIn } from './kept-logs.ts'
import { type TestNode, unique } from './node.ts'

export type Person = { email: string; password: string; browser: Browser; call: Call }

/** Calls an endpoint below `/auth` from the user's browser. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: tests say what an answer holds.
) => Promise<Page & { body: any }>

export const password = 'correct horse battery staple'

/** Creates a link for this address, with its token. */
export async function newLink(node: TestNode, email?: string): Promise<{ url: string; token: string }> {
  const { token } = await createLink(node.installation.store, email, Date.now() + node.clock.aheadMs)
  knowSecret("a link's token", token)
  return { url: `${node.apiUrl}/auth/link?token=${token}`, token }
}

/** Uses a link, as its page's form does; returns the page at `/`. */
export function useLink(
  node: TestNode,
  token: string,
  fields: Record<string, string> = {},
  browser = newBrowser(),
  headers: Record<string, string> = {},
): Promise<Page> {
  knowSecretsIn({ password, ...fields })
  return browser.submit(`${node.apiUrl}/auth/link`, { token, password, again: password, ...fields }, headers)
}

/** Calls of `browser` on the node's `/auth`. */
export function callsOf(node: TestNode, browser: Browser): Call {
  return async (method, path, body, headers) => {
    knowSecretsIn(body)
    const page = await browser.call(method, `${node.apiUrl}/auth${path}`, body, headers)
    return { ...page, body: page.text === '' ? undefined : JSON.parse(page.text) }
  }
}

/** A user who has set a password with a link, and isn't signed in. */
export async function newLinkedPerson(node: TestNode, email: string): Promise<Person> {
  const { token } = await newLink(node, email)
  knowSecretsIn({ password })
  const nowMs = () => Date.now() + node.clock.aheadMs
  // Skips the page, which would sign the user in.
  await setPassword({ store: node.installation.store, nowMs }, { token, password: asSecret(password) })
  const browser = newBrowser()
  return { email, password, browser, call: callsOf(node, browser) }
}

let passwordHash: Promise<string> | undefined

/**
 * A user who has a password, and isn't signed in: as with a link, but the password is hashed once for all of
 * them.
 */
export async function newPerson(node: TestNode, email = `${unique('ada')}@example.com`): Promise<Person> {
  passwordHash ??= hashPassword(asSecret(password))
  const hashed = await passwordHash
  const nowMs = Date.now() + node.clock.aheadMs
  const id = newId('user', nowMs)
  const times = { createdMs: nowMs, updatedMs: nowMs }
  const account = { id: newId('account', nowMs), userId: id, accountId: id, providerId: 'credential' }
  await node.installation.store.transact(async (tx) => {
    await insertPerson(tx, { id, email, emailVerified: true, name: email }, nowMs)
    await tx.insert(accounts).values({ ...account, ...times, passwordHash: hashed })
  })
  knowSecret('a password', password)
  const browser = newBrowser()
  return { email, password, browser, call: callsOf(node, browser) }
}

/** The typed client with the session of the user's browser; makes each call once. */
export function clientOf(node: TestNode, { browser }: Person) {
  const cookie = browser.cookies('localhost').get('svc.session_token') ?? ''
  return createClient({ url: node.apiUrl, token: decodeURIComponent(cookie), retry: false })
}

/** Signs the user in from another browser. */
export async function signIn(
  node: TestNode,
  { email, password: secret }: Pick<Person, 'email' | 'password'>,
  headers: Record<string, string> = {},
): Promise<Person> {
  const browser = newBrowser()
  const call = callsOf(node, browser)
  const { status, text } = await call('POST', '/sign-in/email', { email, password: secret }, headers)
  if (status !== 200) throw new Error(`The sign-in was answered with ${status}: ${text}`)
  return { email, password: secret, browser, call }
}
