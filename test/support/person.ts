/** People for tests: each test has its own. */
import { createLink } from '../../src/auth/people/links.ts'
import { type Browser, newBrowser, type Page } from './browser.ts'
import { knowSecret, knowSecretsIn } from './kept-logs.ts'
import { type TestNode, unique } from './node.ts'

export type Person = { email: string; password: string; browser: Browser; call: Call }

/** Calls an endpoint below `/auth` from the person's browser. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: tests say what an answer holds.
) => Promise<Page & { body: any }>

export const password = 'correct horse battery staple'

/** A link for this address, with its token. */
export async function newLink(node: TestNode, email?: string): Promise<{ url: string; token: string }> {
  const { token } = await createLink(node.installation.store, email, Date.now() + node.clock.aheadMs)
  knowSecret("a link's token", token)
  return { url: `${node.apiUrl}/auth/link?token=${token}`, token }
}

/** Uses a link, as its page's form does. */
export function useLink(
  node: TestNode,
  token: string,
  fields: Record<string, string> = {},
  browser = newBrowser(),
): Promise<Page> {
  knowSecretsIn({ password, ...fields })
  return browser.submit(`${node.apiUrl}/auth/link`, { token, password, again: password, ...fields })
}

/** Calls of `browser` on the node's `/auth`. */
export function callsOf(node: TestNode, browser: Browser): Call {
  return async (method, path, body, headers) => {
    knowSecretsIn(body)
    const page = await browser.call(method, `${node.apiUrl}/auth${path}`, body, headers)
    return { ...page, body: page.text === '' ? undefined : JSON.parse(page.text) }
  }
}

/** A person that has a password, and isn't signed in. */
export async function newPerson(node: TestNode, email = `${unique('ada')}@example.com`): Promise<Person> {
  const { token } = await newLink(node, email)
  const browser = newBrowser()
  const page = await useLink(node, token, {}, browser)
  if (page.status !== 200) throw new Error(`The link was answered with ${page.status}: ${page.text}`)
  return { email, password, browser, call: callsOf(node, browser) }
}

/** Another browser of the person, signed in there. */
export async function signIn(node: TestNode, { email, password: secret }: Person): Promise<Person> {
  const browser = newBrowser()
  const call = callsOf(node, browser)
  const { status, text } = await call('POST', '/sign-in/email', { email, password: secret })
  if (status !== 200) throw new Error(`The sign-in was answered with ${status}: ${text}`)
  return { email, password: secret, browser, call }
}
