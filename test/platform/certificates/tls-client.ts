/** A visitor of sites over HTTPS. */
import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { CertifiedNode } from './node.ts'

export type Visited = { status: number | undefined; body: string; headers: IncomingMessage['headers'] }

type Secure = Pick<CertifiedNode, 'tlsPort' | 'root'>

/** A connection for a name, after the handshake. Rejects as that does. */
export async function shake(
  { tlsPort, root }: Secure,
  servername: string,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: Number(tlsPort), servername, ca: root, ...options })
  await once(socket, 'secureConnect')
  return socket
}

/** A GET over HTTP/1.1. */
export async function visit({ tlsPort, root }: Secure, name: string, path = '/'): Promise<Visited> {
  const at = { host: '127.0.0.1', port: tlsPort, servername: name, ca: root, agent: false, path }
  const [response] = (await once(request({ ...at, headers: { host: name } }).end(), 'response')) as [
    IncomingMessage,
  ]
  return { status: response.statusCode, body: await text(response), headers: response.headers }
}

/** The same over HTTP/2. */
export async function visitOverHttp2({ tlsPort, root }: Secure, name: string): Promise<Visited> {
  const session = connectHttp2(`https://${name}:${tlsPort}`, {
    host: '127.0.0.1',
    ca: root,
    servername: name,
  })
  const stream = session.request({ ':path': '/' })
  const [headers] = await once(stream, 'response')
  const body = await text(stream)
  session.close()
  return { status: headers[':status'], body, headers }
}

type Plain = { path?: string; fields?: Record<string, string>; localAddress?: string }

/** A GET over HTTP, without TLS. */
export async function visitPlainly(
  { httpPort }: Pick<CertifiedNode, 'httpPort'>,
  name: string,
  { path = '/', fields = {}, localAddress = '127.0.0.1' }: Plain = {},
): Promise<Visited> {
  const at = { host: '127.0.0.1', port: httpPort, agent: false, path, localAddress }
  const sent = requestPlain({ ...at, headers: { host: name, ...fields } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response), headers: response.headers }
}
