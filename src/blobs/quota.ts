/** How much a team may store by its plan, and room that is kept for bytes on their way. */
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'
import { storage, storageReservations } from '../db/schema/storage.ts'
import { teams } from '../db/schema/teams.ts'
import { AppError } from '../errors.ts'
import type { Plan } from '../limits/plan.ts'
import type { BlobIdentity } from './blob-store.ts'
import { readUsedBytes } from './used-bytes.ts'

/** Most bytes of a team on each plan; 0: no limit. */
export type StorageLimits = Record<Plan, number>

type Deps = { db: Database; storage: StorageLimits; nowMs: () => number }

/** Room for bytes that a team is about to store. */
export type Reservation = {
  /** Has the room kept still where its time has passed. @throws AppError `storage_quota` when others have it now. */
  confirm(): Promise<void>
  /** Gives the room back: what was stored is counted by then. */
  release(): Promise<void>
}

/** Longer than an upload takes, as a rule; one that takes longer confirms. */
const keptMs = 60 * 60 * 1000

const unlimited: Reservation = { confirm: async () => {}, release: async () => {} }

/**
 * Keeps room for those of the blobs that the team doesn't have yet; of all that ask at once, only so many get some as fit.
 * @throws AppError `storage_quota`.
 */
export async function reserve(
  deps: Deps,
  teamId: string,
  wanted: Iterable<BlobIdentity>,
): Promise<Reservation> {
  const limit = await limitOf(deps, teamId)
  if (limit === 0) return unlimited
  const added = [...wanted]
  const take = async () => {
    const expiresMs = deps.nowMs() + keptMs
    return { expiresMs, id: await takeRoom(deps, { teamId, limit, expiresMs }, added) }
  }
  let taken = await take()
  return {
    async confirm() {
      if (deps.nowMs() >= taken.expiresMs) taken = await take()
    },
    async release() {
      await deps.db.delete(storageReservations).where(eq(storageReservations.id, taken.id))
    },
  }
}

/** Whether the blobs would find room now, so that nobody sends them in vain. @throws AppError `storage_quota`. */
export async function checkRoom(deps: Deps, teamId: string, wanted: Iterable<BlobIdentity>): Promise<void> {
  const limit = await limitOf(deps, teamId)
  if (limit === 0) return
  await readUsedBytes(deps.db, teamId)
  await deps.db.transaction((tx) => bytesWithin(tx, { teamId, limit, nowMs: deps.nowMs() }, [...wanted]))
}

async function limitOf({ db, storage: limits }: Deps, teamId: string): Promise<number> {
  if (Object.values(limits).every((limit) => limit === 0)) return 0
  const [team] = await db.select({ plan: teams.plan }).from(teams).where(eq(teams.id, teamId))
  return team ? limits[team.plan] : 0
}

type Room = { teamId: string; limit: number; nowMs: number }

async function takeRoom(
  { db, nowMs: now }: Deps,
  { teamId, limit, expiresMs }: Omit<Room, 'nowMs'> & { expiresMs: number },
  wanted: BlobIdentity[],
): Promise<number> {
  // Makes the row that is locked, where there is none yet.
  await readUsedBytes(db, teamId)
  const nowMs = now()
  return db.transaction(async (tx) => {
    const bytes = await bytesWithin(tx, { teamId, limit, nowMs }, wanted)
    const [made] = await tx
      .insert(storageReservations)
      .values({ teamId, bytes, expiresMs })
      .returning({ id: storageReservations.id })
    if (!made) throw new Error('An insert returned no row.')
    return made.id
  })
}

/** How many bytes of the blobs are new; nobody takes room meanwhile. @throws AppError `storage_quota` where they don't fit. */
async function bytesWithin(
  tx: Database,
  { teamId, limit, nowMs }: Room,
  wanted: BlobIdentity[],
): Promise<number> {
  const [known] = await tx.select().from(storage).where(eq(storage.teamId, teamId)).for('no key update')
  const ofTeam = eq(storageReservations.teamId, teamId)
  await tx.delete(storageReservations).where(and(ofTeam, lte(storageReservations.expiresMs, nowMs)))
  const [reserved] = await tx
    .select({ bytes: sql`coalesce(sum(${storageReservations.bytes}), 0)`.mapWith(Number) })
    .from(storageReservations)
    .where(ofTeam)
  const used = known?.usedBytes ?? 0
  const left = limit - used - (reserved?.bytes ?? 0)
  const bytes = sumOf(wanted) <= left ? sumOf(wanted) : sumOf(await withoutKnown(tx, teamId, wanted))
  if (bytes > Math.max(0, left)) throw quotaExceeded({ bytes, used, limit })
  return bytes
}

/** What the team has already, be its bytes lost, takes no more room. */
async function withoutKnown(tx: Database, teamId: string, wanted: BlobIdentity[]): Promise<BlobIdentity[]> {
  const digests = wanted.map(({ sha256 }) => sha256)
  const rows = await tx
    .select({ sha256: blobs.sha256 })
    .from(blobs)
    .where(and(eq(blobs.teamId, teamId), inArray(blobs.sha256, digests)))
  const known = new Set(rows.map(({ sha256 }) => sha256))
  return wanted.filter(({ sha256 }) => !known.has(sha256))
}

function sumOf(wanted: BlobIdentity[]): number {
  return wanted.reduce((sum, { size }) => sum + size, 0)
}

function quotaExceeded({ bytes, used, limit }: { bytes: number; used: number; limit: number }): AppError {
  return new AppError(
    'storage_quota',
    `There is no room for ${bytes} bytes more: the team's files take ${used} of the ${limit} bytes of its plan, some may be on ` +
      'their way. Delete deployments, whose files go soon after, or have the plan changed.',
  )
}
