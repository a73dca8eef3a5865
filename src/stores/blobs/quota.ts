/** Storage quotas by plan, and reservations for uploads in progress. */
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Plan } from '../../lib/plan.ts'
import type { Database } from '../db/database.ts'
import { blobs } from '../db/schema/blobs.ts'
import { storage, storageReservations } from '../db/schema/storage.ts'
import { teams } from '../db/schema/teams.ts'
import type { BlobIdentity } from './blob-store.ts'
import { findOpenDigests, sumOpenBytes } from './direct-uploads.ts'
import { readUsedBytes } from './used-bytes.ts'

/** The quota of each plan, in bytes; 0: no limit. */
export type StorageLimits = Record<Plan, number>

/** `tellsNothing` of what the team has: for a caller that doesn't see all of it, known blobs count as new. */
type Deps = { db: Database; storage: StorageLimits; tellsNothing?: boolean; nowMs: () => number }

/** Reserved storage. */
export type Reservation = {
  /** Renews the reservation if it has expired. @throws AppError `storage_quota` if the space is taken now. */
  confirm(): Promise<void>
  /** Releases the reservation; stored bytes are counted by then. */
  release(): Promise<void>
}

/** Longer than most uploads; slower ones renew it. */
const keptMs = 60 * 60 * 1000

const unlimited: Reservation = { confirm: async () => {}, release: async () => {} }

/**
 * Reserves space for the blobs that the team doesn't have yet; concurrent reservations never exceed the quota
 * together.
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

/**
 * Whether the blobs would fit now, so that clients don't upload in vain.
 * @throws AppError `storage_quota`.
 */
export function checkRoom(deps: Deps, teamId: string, wanted: BlobIdentity[]): Promise<void> {
  return withRoom(deps, teamId, wanted, async () => {})
}

/**
 * The result of `use`. If the team has a quota, that runs in a transaction in which the blobs fit and nobody
 * else reserves space.
 * @throws AppError `storage_quota`; what `use` throws.
 */
export async function withRoom<T>(
  deps: Deps,
  teamId: string,
  wanted: BlobIdentity[],
  use: (tx: Database) => Promise<T>,
): Promise<T> {
  const limit = await limitOf(deps, teamId)
  if (limit === 0) return use(deps.db)
  await readUsedBytes(deps.db, teamId)
  return deps.db.transaction(async (tx) => {
    const { nowMs, tellsNothing } = deps
    await bytesWithin(tx, { teamId, limit, tellsNothing, nowMs: nowMs() }, wanted)
    return use(tx)
  })
}

async function limitOf({ db, storage: limits }: Deps, teamId: string): Promise<number> {
  if (Object.values(limits).every((limit) => limit === 0)) return 0
  const [team] = await db.select({ plan: teams.plan }).from(teams).where(eq(teams.id, teamId))
  return team ? limits[team.plan] : 0
}

type Room = { teamId: string; limit: number; tellsNothing: boolean | undefined; nowMs: number }

async function takeRoom(
  { db, tellsNothing, nowMs: now }: Deps,
  { teamId, limit, expiresMs }: Pick<Room, 'teamId' | 'limit'> & { expiresMs: number },
  wanted: BlobIdentity[],
): Promise<number> {
  // Creates the row to lock, if there is none yet.
  await readUsedBytes(db, teamId)
  const nowMs = now()
  return db.transaction(async (tx) => {
    const bytes = await bytesWithin(tx, { teamId, limit, tellsNothing, nowMs }, wanted)
    const [made] = await tx
      .insert(storageReservations)
      .values({ teamId, bytes, expiresMs })
      .returning({ id: storageReservations.id })
    if (!made) throw new Error('An insert returned no row.')
    return made.id
  })
}

/**
 * How many bytes of the blobs are new, with the quota locked.
 * @throws AppError `storage_quota` if they don't fit.
 */
async function bytesWithin(
  tx: Database,
  { teamId, limit, tellsNothing, nowMs }: Room,
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
  const left = limit - used - (reserved?.bytes ?? 0) - (await sumOpenBytes(tx, teamId, nowMs))
  const all = sumOf(wanted)
  const isNew = tellsNothing || all <= left
  const bytes = isNew ? all : sumOf(await withoutKnown(tx, { teamId, nowMs }, wanted))
  if (bytes > Math.max(0, left)) throw quotaExceeded(bytes, tellsNothing ? undefined : { used, limit })
  return bytes
}

/** Blobs that the team has, even lost ones, or has space reserved for, need no more. */
async function withoutKnown(
  tx: Database,
  { teamId, nowMs }: Pick<Room, 'teamId' | 'nowMs'>,
  wanted: BlobIdentity[],
): Promise<BlobIdentity[]> {
  const digests = wanted.map(({ sha256 }) => sha256)
  const rows = await tx
    .select({ sha256: blobs.sha256 })
    .from(blobs)
    .where(and(eq(blobs.teamId, teamId), inArray(blobs.sha256, digests)))
  const known = await findOpenDigests(tx, teamId, wanted, nowMs)
  for (const { sha256 } of rows) known.add(sha256)
  return wanted.filter(({ sha256 }) => !known.has(sha256))
}

function sumOf(wanted: BlobIdentity[]): number {
  return wanted.reduce((sum, { size }) => sum + size, 0)
}

function quotaExceeded(bytes: number, room: { used: number; limit: number } | undefined): AppError {
  const use = room
    ? `the team's files use ${room.used} of the ${room.limit} bytes of its plan`
    : "the team's files leave less of its plan"
  return new AppError(
    'storage_quota',
    `No space for ${bytes} more bytes: ${use}, including uploads in progress. ` +
      'Delete deployments, whose files are removed soon after, or upgrade the plan.',
  )
}
