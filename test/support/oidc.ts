/** An OpenID provider for tests, by an independent library: discovery, keys, and codes that need PKCE. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'

export type Claims = { sub: string; email?: string; email_verified?: boolean; name?: string }

export type TestProvider = {
  /** Settings of a node whose users may sign in with it. */
  settings: Record<string, string>
  /** Makes it accept the node at this address as a client. */
  serve(apiUrl: string): void
  /** The user who is signed in there. */
  person: Claims
  close(): void
}

const client = { client_id: 'svc', client_secret: 'the-secret-of-the-client' }

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A provider that listens; it responds to nothing before `serve`. */
export async function startProvider(): Promise<TestProvider> {
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.destroy()
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The provider has no port.')
  const issuer = `http://127.0.0.1:${address.port}`
  const test: TestProvider = {
    settings: {
      SVC_OIDC_ISSUER: issuer,
      SVC_OIDC_CLIENT_ID: client.client_id,
      SVC_OIDC_CLIENT_SECRET: client.client_secret,
      SVC_OIDC_NAME: 'Example ID',
    },
    serve(apiUrl) {
      const provider = createProvider(issuer, apiUrl, () => test.person)
      const handle = provider.callback()
      answer = (request, response) => {
        if (request.url?.startsWith('/interaction')) {
          const login = { login: { accountId: test.person.sub } }
          provider.interactionFinished(request, response, login).catch(() => response.destroy())
        } else handle(request, response)
      }
    },
    person: { sub: 'nobody' },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return test
}

function createProvider(issuer: string, apiUrl: string, person: () => Claims): Provider {
  return new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${apiUrl}/auth/callback/oidc`] }],
    cookies: { keys: ['a key'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    pkce: { required: () => true },
    findAccount: () => ({ accountId: person().sub, claims: () => person() }),
    // There is no consent page.
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        accountId: context.oidc.session?.accountId ?? '',
        clientId: client.client_id,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}
