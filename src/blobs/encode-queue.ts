/** Which blobs wait for their compressed forms: claimed with a lease, so that whoever dies over one leaves it to others. */
import { and, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'
import type { EncodedForms } from './encodings.ts'
import { addUsedBytes } from './used-bytes.ts'

/** Many times what a round takes. */
const leaseMs = 5 * 60_000

/** What fails is tried again after a minute, then two, four and so on; after so many times it is left as it is. */
const maxAttempts = 8
const retryMs = 60_000

/** A blob that is this node's to do until `untilMs`, which tells this claim from later ones. */
export type Claim = {
  id: number
  teamId: string
  sha256: string
  size: number
  object: string
  attempts: number
  untilMs: number
}

export type Encoded = { claim: Claim; forms: EncodedForms }

/**
 * Takes up to `limit` blobs that are due, those marked last first: so a small deployment needn't wait behind a large
 * one. Each is nobody else's until its lease is over.
 */
export async function claimDue(db: Database, limit: number, nowMs: number): Promise<Claim[]> {
  const due = db
    .select({ id: blobs.id })
    .from(blobs)
    .where(lte(blobs.encodeAfterMs, nowMs))
    .orderBy(desc(blobs.encodeAfterMs))
    .limit(limit)
    .for('no key update', { skipLocked: true })
  const untilMs = nowMs + leaseMs
  const claimed = await db
    .update(blobs)
    .set({ encodeAfterMs: untilMs, encodeAttempts: sql`${blobs.encodeAttempts} + 1` })
    // As an array, so that it is looked for once, whatever the plan.
    .where(sql`${blobs.id} = any(array(${due}))`)
    .returning({
      id: blobs.id,
      teamId: blobs.teamId,
      sha256: blobs.sha256,
      size: blobs.size,
      object: blobs.object,
      attempts: blobs.encodeAttempts,
    })
  return claimed.map((claim) => ({ ...claim, untilMs }))
}

/** Whether a blob was tried so often that it isn't worth another time. */
export function isHopeless({ attempts }: Claim): boolean {
  return attempts > maxAttempts
}

/**
 * Makes the forms those of their blobs. Returns the ids of which that is true now: the others are gone, or somebody
 * else's by now.
 */
export async function recordForms(db: Database, encoded: Encoded[]): Promise<Set<number>> {
  if (encoded.length === 0) return new Set()
  const rows = encoded.map(({ claim, forms: { br, gzip } }) => ({
    ...{ id: claim.id, until_ms: claim.untilMs, br_object: br?.object, br_size: br?.size },
    ...{ gzip_object: gzip?.object, gzip_size: gzip?.size },
  }))
  return db.transaction(async (tx) => {
    const recorded = await tx
      .update(blobs)
      .set({
        encodeAfterMs: null,
        brObject: sql`forms.br_object`,
        brSize: sql`forms.br_size`,
        gzipObject: sql`forms.gzip_object`,
        gzipSize: sql`forms.gzip_size`,
      })
      .from(
        sql`json_to_recordset(${JSON.stringify(rows)}::json) as forms(
        id bigint, until_ms bigint, br_object text, br_size bigint, gzip_object text, gzip_size bigint)`,
      )
      .where(
        and(
          sql`${blobs.id} = forms.id`,
          sql`${blobs.encodeAfterMs} = forms.until_ms`,
          isLocked(
            tx,
            encoded.map(({ claim }) => claim),
          ),
        ),
      )
      .returning({ id: blobs.id })
    const ids = new Set(recorded.map(({ id }) => id))
    const made = encoded.filter(({ claim }) => ids.has(claim.id))
    await addUsedBytes(
      tx,
      made.map(({ claim: { teamId }, forms: { br, gzip } }) => ({
        teamId,
        bytes: (br?.size ?? 0) + (gzip?.size ?? 0),
      })),
    )
    return ids
  })
}

/** Gives up what was claimed and not begun, as if it had never been claimed. */
export async function release(db: Database, claims: Claim[], nowMs: number): Promise<void> {
  const [first] = claims
  if (!first) return
  await db
    .update(blobs)
    .set({ encodeAfterMs: nowMs, encodeAttempts: sql`${blobs.encodeAttempts} - 1` })
    .where(and(isLocked(db, claims), eq(blobs.encodeAfterMs, first.untilMs)))
}

/** Puts off what failed. */
export async function postpone(db: Database, { id, attempts, untilMs }: Claim, nowMs: number): Promise<void> {
  await db
    .update(blobs)
    .set({ encodeAfterMs: nowMs + retryMs * 2 ** (attempts - 1) })
    .where(and(eq(blobs.id, id), eq(blobs.encodeAfterMs, untilMs)))
}

/** Locks the blobs in the order in which deployments do, so that the two wait for each other instead of deadlocking. */
function isLocked(db: Database, claims: Claim[]): SQL {
  const ids = claims.map(({ id }) => id)
  const locked = db
    .select({ id: blobs.id })
    .from(blobs)
    .where(inArray(blobs.id, ids))
    .orderBy(blobs.id)
    .for('no key update')
  return sql`${blobs.id} = any(array(${locked}))`
}
