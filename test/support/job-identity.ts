/**
 * What a job of continuous integration gets: an endpoint of GitHub Actions that issues identity tokens, with
 * the keys and the discovery document by which they are verified.
 */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { SignJWT } from 'jose'
import { knowSecret } from './kept-logs.ts'

export type JobIdentity = {
  issuer: string
  /** The variables of a job with the permission to request tokens. */
  env: { ACTIONS_ID_TOKEN_REQUEST_URL: string; ACTIONS_ID_TOKEN_REQUEST_TOKEN: string }
  /** What the tokens say of the job. */
  claims: Record<string, unknown>
  /** The audience of each token that was requested. */
  requested: string[]
  /** If set, requests of tokens get this status. */
  refuse: number | undefined
  tokenFor(audience: string, expiresS?: number): Promise<string>
  close(): void
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }
const secret = 'the-secret-with-which-a-job-requests-tokens'

export async function startJobIdentity(claims: Record<string, unknown>): Promise<JobIdentity> {
  const server = createServer(async (request, response) => {
    const { status, body } = await answerTo(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The endpoint has no port.')
  const issuer = `http://127.0.0.1:${address.port}`

  async function answerTo({ url, headers }: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname, searchParams } = new URL(url ?? '/', issuer)
    if (pathname === '/.well-known/openid-configuration')
      return { status: 200, body: { issuer, jwks_uri: `${issuer}/jwks` } }
    if (pathname === '/jwks') return { status: 200, body: { keys: [jwk] } }
    if (pathname !== '/token') return { status: 404, body: {} }
    if (headers.authorization !== `bearer ${secret}` || searchParams.get('api-version') !== '2.0')
      return { status: 401, body: {} }
    if (job.refuse !== undefined) return { status: job.refuse, body: {} }
    const audience = searchParams.get('audience') ?? ''
    job.requested.push(audience)
    return { status: 200, body: { value: await job.tokenFor(audience) } }
  }

  const job: JobIdentity = {
    issuer,
    env: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
    },
    claims,
    requested: [],
    refuse: undefined,
    async tokenFor(audience, expiresS = 300) {
      const nowS = Math.floor(Date.now() / 1_000)
      const token = await new SignJWT({ ...job.claims, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: 'test' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + expiresS)
        .sign(privateKey)
      knowSecret('an identity token', token)
      return token
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  knowSecret('the secret of a job', secret)
  return job
}
