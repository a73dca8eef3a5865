/** Requests through an HTTP proxy (RFC 9110, sections 7.1 and 9.3.6). */
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { type HttpProxy, nameOf } from './http-proxy.ts'

/** The proxy didn't let the request through; the message says why and what to do. */
export class ProxyError extends Error {
  override name = 'ProxyError'
}

/** How long a proxy may take to connect. */
const connectMs = 30_000

/**
 * Opens a request to `address` through `proxy`: over TLS in a tunnel, of which the proxy sees the host alone,
 * else in absolute form. `problemOf` says what an error or a status of it is about.
 */
export function requestThrough(proxy: HttpProxy, address: string, options: RequestOptions): ClientRequest {
  const url = new URL(address)
  if (url.protocol === 'https:') return httpsRequest(url, { ...options, agent: tunnelsOf(proxy) })
  return sendTo(proxy)({
    ...options,
    ...placeOf(proxy),
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: { ...options.headers, host: url.host, ...authorization(proxy) },
  })
}

const tunnels = new Map<string, Agent>()

/** The agent whose connections are tunnels, which are used again. */
function tunnelsOf(proxy: HttpProxy): Agent {
  const known = tunnels.get(proxy.url.href)
  if (known) return known
  const agent = new Agent({ keepAlive: true })
  agent.createConnection = (options, callback) => {
    const { port = 443, servername = '' } = options
    const host = options.host ?? ''
    openTunnel(proxy, `${bracketed(host)}:${port}`).then(
      (socket) => callback?.(null, connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] })),
      (error: Error) => callback?.(error, new Socket()),
    )
    return undefined
  }
  tunnels.set(proxy.url.href, agent)
  return agent
}

/** A connection to `authority` through the proxy. @throws ProxyError. */
function openTunnel(proxy: HttpProxy, authority: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const connecting = sendTo(proxy)({
      ...placeOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      agent: false,
      timeout: connectMs,
    })
    connecting.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(refusedBy(proxy, statusCode, authority))
    })
    connecting.once('timeout', () => connecting.destroy(new Error('it did not respond in time')))
    connecting.once('error', (error) => reject(unreached(proxy, error)))
    connecting.end()
  })
}

function sendTo({ url }: HttpProxy): typeof httpRequest {
  return url.protocol === 'https:' ? httpsRequest : httpRequest
}

function placeOf({ url }: HttpProxy): RequestOptions {
  const port = url.port || (url.protocol === 'https:' ? 443 : 80)
  return { host: unbracketed(url.hostname), port }
}

/** User and password go to the proxy alone (RFC 7617). */
function authorization({ url }: HttpProxy): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const credentials = [url.username, url.password].map(decoded).join(':')
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** The proxy's own part in the error or the status of a request to `address` through it, if it has one. */
export function problemOf(proxy: HttpProxy, address: string, outcome: unknown): ProxyError | undefined {
  if (outcome instanceof ProxyError) return outcome
  const { protocol, host } = new URL(address)
  if (protocol === 'https:') return undefined
  if (outcome === 407) return refusedBy(proxy, outcome, host)
  return outcome instanceof Error && 'syscall' in outcome ? unreached(proxy, outcome) : undefined
}

function unreached(proxy: HttpProxy, error: Error): ProxyError {
  const { variable } = proxy
  const why = 'code' in error ? String(error.code) : error.message
  return new ProxyError(
    `The proxy ${nameOf(proxy)} can't be reached: ${why}. ` +
      `Correct ${variable}, or name the server's host in NO_PROXY.`,
    { cause: error },
  )
}

function refusedBy(proxy: HttpProxy, status: number, authority: string): ProxyError {
  const message =
    status === 407
      ? `The proxy ${nameOf(proxy)} requires a user and a password: ` +
        `put both into ${proxy.variable}, as in http://user:password@host:port.`
      : `The proxy ${nameOf(proxy)} doesn't connect to ${authority} (status ${status}). ` +
        'To reach it directly, name its host in NO_PROXY.'
  return new ProxyError(message)
}
