/** The rows of a team's blobs. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { blobs } from '../db/schema/blobs.ts'
import { storage } from '../db/schema/storage.ts'
import { teams } from '../db/schema/teams.ts'

/** How long an unreferenced blob is kept, so that uploads can still be deployed. */
export const unreferencedGraceMs = 60 * 60 * 1000

/**
 * A blob of the team, as its row was read. `isMarked` for collection, since nothing seemed to reference it;
 * `isUnencoded` if its compression hasn't been requested yet.
 */
export type KnownBlob = {
  id: number
  sha256: string
  size: number
  object: string
  isMarked: boolean
  isUnencoded: boolean
}

/**
 * The digests that the team has. Unreferenced ones are kept for another hour, so that clients can rely on the
 * response.
 */
export async function findBlobs(
  db: Database,
  teamId: string,
  digests: string[],
  nowMs: number,
): Promise<KnownBlob[]> {
  if (digests.length === 0) return []
  const [row] = await findQuery(db).execute({ teamId, digests: [...new Set(digests)].join(',') })
  const keepUntilMs = nowMs + unreferencedGraceMs
  const known: KnownBlob[] = []
  const expiring: number[] = []
  for (const [id, sha256, size, object, collectAfterMs, isUnencoded] of row?.found ?? []) {
    known.push({ id, sha256, size, object, isMarked: collectAfterMs !== null, isUnencoded })
    if ((collectAfterMs ?? keepUntilMs) < keepUntilMs - unreferencedGraceMs / 2) expiring.push(id)
  }
  if (expiring.length === 0) return known
  const kept = await keepUntil(db, expiring, keepUntilMs)
  const lost = new Set(expiring.filter((id) => !kept.has(id)))
  return known.filter(({ id }) => !lost.has(id))
}

/**
 * A join, since with a generic plan PostgreSQL would compare each digest with each row. All in one row, since
 * reading a thousand rows takes longer than finding them.
 */
const findQuery = prepared((db) => {
  const isUnencoded = sql`${blobs.encodeAfterMs} is null and ${blobs.encodeAttempts} = 0`
  const { id, sha256, size, object, collectAfterMs } = blobs
  const columns = sql`${id}, ${sha256}, ${size}, ${object}, ${collectAfterMs}, ${isUnencoded}`
  const found = sql<FoundBlob[]>`coalesce(json_agg(json_build_array(${columns})), '[]')`
  const wanted = sql`unnest(string_to_array(${sql.placeholder('digests')}, ',')) as wanted(digest)`
  return db
    .select({ found })
    .from(blobs)
    .innerJoin(wanted, sql`${blobs.sha256} = wanted.digest`)
    .where(eq(blobs.teamId, sql.placeholder('teamId')))
    .prepare('find_blobs')
})

type FoundBlob = [
  id: number,
  sha256: string,
  size: number,
  object: string,
  collectAfterMs: number | null,
  isUnencoded: boolean,
]

/** Keeps existing blobs, unless something references them by now; returns the ids of these. */
async function keepUntil(db: Database, ids: number[], keepUntilMs: number): Promise<Set<number>> {
  const there = db
    .select({ id: blobs.id })
    .from(blobs)
    .where(isOneOf(ids))
    .orderBy(blobs.id)
    .for('no key update')
  const kept = await db
    .update(blobs)
    .set({
      collectAfterMs: sql`case when ${blobs.collectAfterMs} is not null then ${keepUntilMs}::bigint end`,
    })
    .where(inArray(blobs.id, there))
    .returning({ id: blobs.id })
  return new Set(kept.map(({ id }) => id))
}

/** Whether a blob is one of these: always one parameter, so that the statement is planned once. */
export function isOneOf(ids: number[]): SQL {
  return sql`${blobs.id} = any(string_to_array(${ids.join(',')}, ',')::bigint[])`
}

/** An object in the blob store that is to become a blob of the team. */
export type StoredBlob = { teamId: string; sha256: string; size: number; object: string }

const recordQuery = prepared((db) => {
  const columns = {
    id: sql`id`.mapWith(Number).as('id'),
    sha256: sql<string>`sha256`.as('sha256'),
    size: sql`size`.mapWith(Number).as('size'),
    object: sql<string>`object`.as('object'),
    teamId: sql<string>`team_id`.as('team_id'),
  }
  const recorded = db.$with('recorded', columns).as(sql`
    insert into ${blobs} (team_id, sha256, size, object, collect_after_ms)
    select team_id, sha256, size, object, ${sql.placeholder('collectAfterMs')}::bigint
    from json_to_recordset(${sql.placeholder('stored')}::json)
      as stored(team_id text, sha256 text, size bigint, object text)
    cross join lateral (
      select from ${teams} where ${teams.id} = stored.team_id and ${teams.deletedMs} is null
      for key share) as team
    on conflict (team_id, sha256) do nothing returning id, sha256, size, object, team_id`)
  // In lock order; the blobs come first.
  const locked = db
    .$with('locked')
    .as(
      db
        .select({ teamId: storage.teamId })
        .from(storage)
        .where(sql`${storage.teamId} in (select team_id from recorded)`)
        .orderBy(storage.teamId)
        .for('no key update'),
    )
  const counted = db.$with('counted', {}).as(sql`
    update ${storage} set used_bytes = used_bytes + added.bytes
    from (select team_id, sum(size) as bytes from recorded group by team_id) as added, locked
    where storage.team_id = added.team_id and locked.team_id = added.team_id`)
  return db.with(recorded, locked, counted).select().from(recorded).prepare('record_blobs')
})

/**
 * Records stored objects. Returns the blobs they became, and the redundant objects, whose digest the team had
 * already or whose team was deleted: the caller deletes them from the blob store.
 */
export async function recordBlobs(
  db: Database,
  stored: StoredBlob[],
  nowMs: number,
): Promise<{ recorded: KnownBlob[]; unneeded: Set<string> }> {
  // A fixed order, so that concurrent callers with the same blobs don't deadlock.
  const sorted = stored
    .map(({ teamId, ...rest }) => ({ team_id: teamId, ...rest }))
    .sort((a, b) => (a.team_id + a.sha256 < b.team_id + b.sha256 ? -1 : 1))
  const rows = await recordQuery(db).execute({
    stored: JSON.stringify(sorted),
    collectAfterMs: nowMs + unreferencedGraceMs,
  })
  const unneeded = new Set(stored.map(({ object }) => object))
  for (const { object } of rows) unneeded.delete(object)
  const recorded = rows.map(({ id, sha256, size, object }) => ({
    id,
    sha256,
    size,
    object,
    isMarked: true,
    isUnencoded: true,
  }))
  return { recorded, unneeded }
}

/**
 * Replaces lost objects of blobs; their variants have to be created again. Returns the new objects of
 * existing blobs, with the lost object.
 */
export async function replaceObjects(
  db: Database,
  lost: { id: number; object: string; replacement: string }[],
  nowMs: number,
): Promise<Set<string>> {
  if (lost.length === 0) return new Set()
  const locked = db
    .select({ id: blobs.id })
    .from(blobs)
    .where(isOneOf(lost.map(({ id }) => id)))
    .orderBy(blobs.id)
    .for('no key update')
  const collectAfterMs = nowMs + unreferencedGraceMs
  const replaced = await db
    .update(blobs)
    .set({
      object: sql`lost.replacement`,
      collectAfterMs: sql`case when ${blobs.collectAfterMs} is not null then ${collectAfterMs}::bigint end`,
      encodeAfterMs: null,
      encodeAttempts: 0,
      brObject: null,
      brSize: null,
      gzipObject: null,
      gzipSize: null,
    })
    .from(
      sql`json_to_recordset(${JSON.stringify(lost)}::json) as lost(id bigint, object text, replacement text)`,
    )
    .where(
      and(
        sql`${blobs.id} = lost.id`,
        sql`${blobs.object} = lost.object`,
        sql`${blobs.id} = any(array(${locked}))`,
      ),
    )
    .returning({ object: blobs.object })
  return new Set(replaced.map(({ object }) => object))
}
