/**
 * The parts of a browser that signing in needs: cookies per host, redirects, and the Origin of the calling
 * page.
 */
import { knowSecret } from './kept-logs.ts'

export type Page = { status: number; url: string; headers: Headers; text: string }

export type Browser = {
  /** The cookies of a host by name. */
  cookies(host: string): Map<string, string>
  /** Requests an address and follows every redirect. */
  visit(url: string): Promise<Page>
  /** Submits a form of a page of the same origin, without a script, and follows the response's redirects. */
  submit(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>
  /** Calls from a script of a page at `origin`; the body is JSON. */
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Page>
}

const maxRedirects = 15

export function newBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>()

  function cookies(host: string): Map<string, string> {
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }

  async function send(url: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Page> {
    const jar = cookies(new URL(url).hostname)
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const headers = { ...init.headers, ...(cookie !== '' && { cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    return { status: response.status, url, headers: response.headers, text: await response.text() }
  }

  const visit = async (url: string) => follow(await send(url, { method: 'GET' }))

  async function follow(first: Page): Promise<Page> {
    let page = first
    for (let i = 0; i < maxRedirects; i += 1) {
      const location = page.headers.get('location')
      if (page.status < 300 || page.status > 399 || location === null) return page
      page = await send(new URL(location, page.url).href, { method: 'GET' })
    }
    throw new Error(`Too many redirects, the last to ${page.url}`)
  }

  return {
    cookies,
    visit,
    submit: async (url, fields, headers = {}) =>
      follow(
        await send(url, {
          method: 'POST',
          body: new URLSearchParams(fields),
          headers: { origin: new URL(url).origin, ...headers },
        }),
      ),
    call: (method, url, body, headers = {}) =>
      send(url, {
        method,
        headers: {
          origin: new URL(url).origin,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  for (const text of [value, decodeURIComponent(value).split('.')[0]]) knowSecret(`the cookie ${name}`, text)
  if (value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute))) jar.delete(name)
  else jar.set(name, value)
}
