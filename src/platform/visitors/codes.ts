/** One-time codes, with which a browser comes back to a site from signing in. */
import { hash, randomBytes } from 'node:crypto'
import { and, desc, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { users } from '../../stores/db/schema/teams.ts'
import { visitCodes } from '../../stores/db/schema/visitors.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdCredential, holdUser } from '../callers/hold-caller.ts'
import { factorRequired } from '../callers/require-factor.ts'
import { type Access, accessOf, projectAt } from './access.ts'

const lifetimeMs = 60_000

const codeBytes = 24

/** The most codes of one person; the oldest ones end for newer ones. */
const maxCodes = 10

/** The browser proves that it has the nonce of `nonceSha256`; `path`, where it goes on, may be anything. */
export type VisitRequest = { userId: string; host: string; nonceSha256: string; path: string }

/**
 * A code for the person to come back to `host` with, within a minute; undefined where the person sees no site
 * there, whether or not there is one.
 * @throws AppError `second_factor_required`, of which the session must be for the site's team; `unauthorized`
 * when the session has just ended.
 */
export async function createVisitCode(
  store: Store,
  { sessionId, ...request }: VisitRequest & { sessionId: string },
  nowMs: number,
): Promise<string | undefined> {
  const { userId, host } = request
  const projectId = await projectAt(store.db, host)
  const access = projectId && (await accessOf(store.db, { userId, projectId }))
  if (!access) return undefined
  const code = randomBytes(codeBytes).toString('base64url')
  const expiresMs = nowMs + lifetimeMs
  await store.transact(async (tx) => {
    // Serializes them, so that the count is exact, and what ends sessions ends their codes.
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    await requireProof(tx, sessionId, access)
    const beyond = tx
      .select({ codeSha256: visitCodes.codeSha256 })
      .from(visitCodes)
      .where(eq(visitCodes.userId, userId))
      .orderBy(desc(visitCodes.expiresMs))
      .offset(maxCodes - 1)
    const ended = or(lt(visitCodes.expiresMs, nowMs), inArray(visitCodes.codeSha256, beyond))
    await tx.delete(visitCodes).where(and(eq(visitCodes.userId, userId), ended))
    await tx.insert(visitCodes).values({ codeSha256: hash('sha256', code), ...request, expiresMs })
  })
  return code
}

async function requireProof(db: Database, sessionId: string, { team }: Access): Promise<void> {
  if (!team.factorRequired) return
  const [session] = await db
    .select({ provenBy: sessions.provenBy })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  if (!session || session.provenBy === 'password') throw factorRequired(team.slug)
}

/**
 * Uses a code up, whoever had it. Resolves to the request that it was for, with the version of its person's
 * visits; to undefined for one that is unknown or has expired.
 */
export async function takeVisitCode(
  db: Database,
  code: string,
  nowMs: number,
): Promise<(VisitRequest & { visitVersion: number }) | undefined> {
  // Read by the same statement: a version of later would let a visit go on that has ended.
  const ofPerson = sql<number>`(
    select ${users.visitVersion} from ${users} where ${users.id} = ${visitCodes.userId})`
  const [taken] = await db
    .delete(visitCodes)
    .where(eq(visitCodes.codeSha256, hash('sha256', code)))
    .returning({ ...getTableColumns(visitCodes), visitVersion: ofPerson })
  if (!taken || taken.expiresMs <= nowMs) return undefined
  const { codeSha256: _, expiresMs: __, ...request } = taken
  return request
}
