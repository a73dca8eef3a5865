/** A browser at sites: it has a jar of cookies for each host, and follows nothing by itself. */
import { once } from 'node:events'
import { request } from 'node:http'
import { knowSecret } from './kept-logs.ts'

export type Visited = { status: number; location: string | undefined; cookies: string[]; text: string }

export type Visitor = {
  /** Opens an address as a person does who types it. */
  open(url: string, headers?: Record<string, string>, method?: string): Promise<Visited>
  /** Sends a form of the page. */
  submit(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Visited>
  /** The `Cookie` header for a host. */
  cookieAt(host: string): string
  /** Plants a cookie. */
  plant(host: string, cookie: string): void
}

const navigation = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' }

/** A browser without any cookie; sites are at the loopback, or at `address`. */
export function newVisitor(address = '127.0.0.1'): Visitor {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (host: string) => jars.get(host) ?? new Map<string, string>()
  const cookieAt = (host: string) => [...jarOf(host)].map((pair) => pair.join('=')).join('; ')

  function plant(host: string, cookie: string): void {
    const [name = '', value = ''] = cookie.split(';', 1)[0]?.split(/=(.*)/s) ?? []
    jars.set(host, jarOf(host).set(name, value))
    knowSecret(`the cookie ${name}`, value)
  }

  async function send(
    url: string,
    options: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<Visited> {
    const { host, hostname, port, pathname, search } = new URL(url)
    const cookie = cookieAt(hostname)
    const headers = { host, ...(cookie !== '' && { cookie }), ...options.headers }
    const path = pathname + search
    const sent = request({ host: address, port, path, method: options.method, agent: false, headers })
    sent.end(options.body)
    const [reply] = await once(sent, 'response')
    let text = ''
    for await (const chunk of reply) text += chunk
    const cookies: string[] = reply.headers['set-cookie'] ?? []
    for (const each of cookies) plant(hostname, each)
    return { status: reply.statusCode, location: reply.headers.location, cookies, text }
  }

  return {
    cookieAt,
    plant,
    open: (url, headers = {}, method = 'GET') =>
      send(url, { method, headers: { ...navigation, ...headers } }),
    submit: (url, fields, headers = {}) =>
      send(url, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { ...navigation, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const decoded = (text: string) => text.replaceAll(/&(#39|\w+);/g, (_, name: string) => entities[name] ?? '')

/** Where the page of a protected site leads to sign in. */
export function signInUrlOf({ text }: Pick<Visited, 'text'>): string {
  return decoded(/<a class="button" href="([^"]+)">/.exec(text)?.[1] ?? '')
}

/** Where a page goes on by itself. */
export function refreshUrlOf({ text }: { text: string }): string {
  return decoded(/http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1] ?? '')
}
