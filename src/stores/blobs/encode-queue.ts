/** The queue of blobs to compress, claimed with a lease, so that a crash leaves them to others. */
import { and, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { blobs } from '../db/schema/blobs.ts'
import type { EncodedForms } from './encodings.ts'
import { addUsedBytes } from './used-bytes.ts'

/** Many times the duration of a batch. */
const leaseMs = 5 * 60_000

/**
 * Failures are retried after a minute, then two, four and so on; the last one leaves the blob uncompressed.
 */
const maxAttempts = 8
const retryMs = 60_000

/** A blob claimed by this node until `untilMs`, which identifies the claim. */
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
 * Claims up to `limit` due blobs, the most recently queued first, so that a small deployment doesn't wait
 * behind a large one. Each is exclusive until its lease expires.
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
    // As an array, so that the subquery runs once, whatever the plan.
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

/** Whether a blob has no attempts left. */
export function isHopeless({ attempts }: Claim): boolean {
  return attempts > maxAttempts
}

/**
 * Records the variants of their blobs. Returns the ids that were recorded: the others are gone, or claimed by
 * somebody else by now.
 */
export async function recordForms(db: Database, encoded: Encoded[]): Promise<Set<number>> {
  if (encoded.length === 0) return new Set()
  const rows = encoded.map(({ claim, forms: { br, gzip } }) => ({
    id: claim.id,
    until_ms: claim.untilMs,
    br_object: br?.object,
    br_size: br?.size,
    gzip_object: gzip?.object,
    gzip_size: gzip?.size,
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

/** Releases claims that were not begun. */
export async function release(db: Database, claims: Claim[], nowMs: number): Promise<void> {
  const [first] = claims
  if (!first) return
  await db
    .update(blobs)
    .set({ encodeAfterMs: nowMs, encodeAttempts: sql`${blobs.encodeAttempts} - 1` })
    .where(and(isLocked(db, claims), eq(blobs.encodeAfterMs, first.untilMs)))
}

/** Schedules a retry. */
export async function postpone(db: Database, { id, attempts, untilMs }: Claim, nowMs: number): Promise<void> {
  await db
    .update(blobs)
    .set({ encodeAfterMs: nowMs + retryMs * 2 ** (attempts - 1) })
    .where(and(eq(blobs.id, id), eq(blobs.encodeAfterMs, untilMs)))
}

/** Locks the blobs in the order in which deployments do, to avoid deadlocks. */
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
