/**
 * The API of a node with an exchange of identity tokens in front of it, which hands out JWTs of one key: it
 * stands in for `POST /v1/token { oidc_token }` of the node itself, and for the scope of such JWTs.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { claimsOf } from './enforcing-node.ts'
import { knowSecret } from './kept-logs.ts'

export type TokenExchange = {
  /** The address of the API. */
  url: string
  /** The JWTs that were handed out. */
  issued: string[]
  /** Whether a JWT is (still) accepted. */
  accepts: (jwt: string) => boolean
  /** If set, the next exchange is refused as one too many, for a moment. */
  busyOnce: boolean
  /** If set, the status and reason with which exchanges are refused. */
  refuse: { status: number; reason: string; message: string } | undefined
  close(): void
}

type Policy = {
  /** The address of the node, and a key with which it mints. */
  apiUrl: string
  key: string
  team: string
  project: string
  claims: Record<string, unknown>
}

export async function startTokenExchange(policy: Policy): Promise<TokenExchange> {
  const server = createServer((received, response) => {
    answer(received, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The exchange has no port.')

  async function answer(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = received
    const { authorization = '' } = headers
    const refuse = (status: number, reason: string, message: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(errorOf(url, { status, reason, message })))
    if (url === '/v1/token' && authorization === '') {
      const { status, body } = await exchange(JSON.parse(await text(received)))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else if (!exchanged.accepts(authorization.replace('Bearer ', ''))) {
      refuse(401, 'unauthorized', 'The JWT has expired.')
    } else if (url.startsWith('/trpc/projects.put')) {
      refuse(403, 'scope', 'This JWT may only deploy.')
    } else {
      const target = new URL(url, policy.apiUrl)
      const sent = request(target, { method, headers: { ...headers, host: target.host } }, (got) => {
        response.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(response)
      })
      sent.on('error', () => response.destroy())
      received.pipe(sent)
    }
  }

  async function exchange(given: { oidc_token: string; team: string; project: string }) {
    const refused = busyOf() ?? exchanged.refuse ?? refusalOf(given)
    if (refused) return { status: refused.status, body: { ...refused, request_id: 'req_1' } }
    const headers = { authorization: `Bearer ${policy.key}` }
    const minted = await fetch(`${policy.apiUrl}/v1/token`, { method: 'POST', headers })
    const body = Object(await minted.json())
    knowSecret('a JWT', body.token)
    exchanged.issued.push(body.token)
    return { status: minted.status, body }
  }

  function busyOf() {
    if (!exchanged.busyOnce) return undefined
    exchanged.busyOnce = false
    return { status: 429, reason: 'rate_limited', message: 'Too many requests.' }
  }

  function refusalOf({ oidc_token, team, project }: { oidc_token: string; team: string; project: string }) {
    const claims = claimsOf(oidc_token)
    if (claims.aud !== exchanged.url)
      return { status: 401, reason: 'unauthorized', message: `The token is not for ${exchanged.url}.` }
    if (Number(claims.exp) * 1_000 < Date.now())
      return { status: 401, reason: 'unauthorized', message: 'The identity token has expired.' }
    const matches = Object.entries(policy.claims).every(([name, value]) => claims[name] === value)
    return team === policy.team && project === policy.project && matches
      ? undefined
      : { status: 403, reason: 'not_trusted', message: `No policy of ${project} matches.` }
  }

  const exchanged: TokenExchange = {
    url: `http://127.0.0.1:${address.port}`,
    issued: [],
    accepts: () => true,
    busyOnce: false,
    refuse: undefined,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return exchanged
}

/** The body of an error, over RPC or REST. */
function errorOf(url: string, error: { status: number; reason: string; message: string }): unknown {
  const { status: httpStatus, reason, message } = error
  const code = httpStatus === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN'
  const rpc = { error: { code: -32_001, message, data: { code, httpStatus, reason, message } } }
  if (!url.startsWith('/trpc')) return { code, reason, message }
  return url.includes('batch=1') ? [rpc] : rpc
}
