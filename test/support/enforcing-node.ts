/** A node that enforces JWTs, and what its callers need. */
import { type Api, apiOf } from './api.ts'
import { startTestNode, type TestNode } from './node.ts'

export const jwtSecret = 'the secret with which tests sign their JWTs'

let shared: Promise<TestNode> | undefined

/** The node with a JWT secret that the tests of this process share; keep to teams of your own. */
export function enforcingNode(): Promise<TestNode> {
  shared ??= startTestNode({ SVC_JWT_SECRET: jwtSecret, SVC_ROLES: 'api,edge' })
  return shared
}

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

/** What a JWT says, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
