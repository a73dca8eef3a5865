/** An issuer of identity tokens for tests, as CI systems have one: discovery, keys, and tokens for jobs. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { knowSecret } from './kept-logs.ts'

export type TestIssuer = {
  url: string
  /** A token with these claims, which is issued now, for five minutes, unless they say otherwise. */
  token(claims: Record<string, unknown> & { aud: string }): Promise<string>
  /** From now on signs with another key, and publishes that one alone. */
  rotate(): Promise<void>
  /** How often its keys were fetched. */
  fetches(): number
  close(): void
}

async function newKey(id: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { id, privateKey, jwk: { ...(await exportJWK(publicKey)), kid: id, use: 'sig' } }
}

/** An issuer that listens. */
export async function startIssuer(): Promise<TestIssuer> {
  let keys = 1
  let key = await newKey('key-1')
  let fetches = 0
  const server = createServer((request, response) => {
    const isKeys = request.url === '/keys'
    if (isKeys) fetches += 1
    const document = isKeys ? { keys: [key.jwk] } : { issuer: url, jwks_uri: `${url}/keys` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The issuer has no port.')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    async token(claims) {
      const nowS = Math.floor(Date.now() / 1_000)
      const signed = await new SignJWT({ iss: url, iat: nowS, exp: nowS + 300, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: key.id })
        .sign(key.privateKey)
      knowSecret('an identity token', signed)
      return signed
    },
    async rotate() {
      keys += 1
      key = await newKey(`key-${keys}`)
    },
    fetches: () => fetches,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
