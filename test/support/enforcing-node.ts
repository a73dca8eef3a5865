/** A node that enforces JWTs, and helpers for its callers. */
import { type Api, apiOf } from './api.ts'
import { startTestNode, type TestNode } from './node.ts'
import { nodeOfFile } from './node-of-file.ts'

export const jwtSecret = 'the secret with which tests sign their JWTs'

/** The node with a JWT secret that the tests of a file share; use teams of your own. */
export const enforcingNode = nodeOfFile(() =>
  startTestNode({ SVC_JWT_SECRET: jwtSecret, SVC_ROLES: 'api,edge', SVC_DATABASE_CONNECTIONS: '1' }),
)

/** Exchanges `credential`, a key or the token of a session, for a JWT. */
export async function mint(
  node: TestNode,
  credential: string,
  input?: { team?: string },
): Promise<{ token: string; api: Api; expiresMs: number }> {
  const { status, body } = await apiOf(node, credential)('POST', '/v1/token', input)
  if (status !== 200) throw new Error(`No JWT was minted: ${JSON.stringify(body)}`)
  return { token: body.token, api: apiOf(node, body.token), expiresMs: body.expires_ms }
}

/** The claims of a JWT, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
