/** Signed-in people for tests. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { createClient } from '../../src/api/client/index.ts'
import { newId } from '../../src/lib/ids.ts'
import { asSecret } from '../../src/lib/secret.ts'
import { hashToken } from '../../src/platform/callers/token.ts'
import { sessions } from '../../src/stores/db/schema/sessions.ts'
import { members, teams } from '../../src/stores/db/schema/teams.ts'
import { type Api, apiOf } from './api.ts'
import { knowSecret } from './kept-logs.ts'
import { type TestNode, unique } from './node.ts'

export type TestSession = {
  id: string
  token: string
  /** The token as a signed cookie value. */
  signed: string
  /** A `Cookie` header. */
  cookie: string
  api: Api
  /** Ends the session as signing out does. */
  end(): Promise<void>
}

/** Signs a user in, for an hour. */
export async function newSession(node: TestNode, userId: string, forMs = 3_600_000): Promise<TestSession> {
  const { store } = node.installation
  const nowMs = Date.now()
  const id = newId('session', nowMs)
  const token = randomBytes(16).toString('hex')
  const tokenSha256 = hashToken(asSecret(token))
  knowSecret("a session's token", token)
  await store.db
    .insert(sessions)
    .values({ id, userId, tokenSha256, expiresMs: nowMs + forMs, createdMs: nowMs, updatedMs: nowMs })
  const signed = `${token}.${randomBytes(32).toString('base64')}`
  return {
    id,
    token,
    signed,
    cookie: `svc.session_token=${encodeURIComponent(signed)}`,
    api: apiOf(node, token),
    end: () =>
      store.transact(async (tx) => {
        await tx.delete(sessions).where(eq(sessions.id, id))
        tx.announce({ kind: 'session', id: tokenSha256 })
      }),
  }
}

/** The account of a user, as a session of its own reads it: the first second factor ends all others. */
export async function accountOf(node: TestNode, userId: string) {
  const { token } = await newSession(node, userId)
  return createClient({ url: node.apiUrl, token, retry: false }).account.get.query({})
}

/** Adds a user to a new team; returns its id and slug. */
export async function joinNewTeam(
  node: TestNode,
  userId: string,
  {
    personal = false,
    role = 'owner',
    joinedMs = Date.now(),
    createdMs = joinedMs,
  }: { personal?: boolean; role?: 'owner' | 'member'; joinedMs?: number; createdMs?: number } = {},
): Promise<{ id: string; slug: string }> {
  const { db } = node.installation.store
  const id = newId('team', createdMs)
  const slug = unique('team')
  await db.insert(teams).values({ id, slug, name: slug, personal, createdMs })
  await db.insert(members).values({ teamId: id, userId, role, joinedMs })
  return { id, slug }
}
