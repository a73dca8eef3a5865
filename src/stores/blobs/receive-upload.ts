/** Stores an uploaded blob and records that the team has it. */
import { and, eq, isNull } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { inGroups } from '../db/in-groups.ts'
import { teams } from '../db/schema/teams.ts'
import type { Store } from '../db/store.ts'
import type { BlobIdentity, BlobStore } from './blob-store.ts'
import type { Reservation } from './quota.ts'
import { settle } from './reuse-stored.ts'
import { recordBlobs, type StoredBlob } from './rows.ts'

type Deps = { store: Store; blobs: BlobStore; nowMs: () => number }

/** How often the team's blob may be collected during the upload, before that is an error. */
const maxAttempts = 3

/**
 * Stores the bytes of `source`, for which space may be reserved; once it resolves, the blob is durable and
 * deployable for an hour at least.
 * @throws AppError as `BlobStore.put` does; `upload_url_invalid` when the team was deleted, which stores
 * nothing.
 */
export type ReceiveUpload = (
  blob: BlobIdentity & { teamId: string },
  source: AsyncIterable<Uint8Array>,
  reservation?: Reservation,
) => Promise<BlobIdentity>

/** Uploads into `blobs`; concurrent ones are recorded in one transaction. */
export function createReceiveUpload({ store: { db }, blobs, nowMs }: Deps): ReceiveUpload {
  const recordInGroups = inGroups((stored: StoredBlob[]) => recordBlobs(db, stored, nowMs()))

  async function record(stored: StoredBlob, attempt: number): Promise<void> {
    const { unneeded } = await recordInGroups(stored)
    if (!unneeded.has(stored.object)) return blobs.recorded([stored.object])
    if (await isDeleted(stored.teamId)) {
      await blobs.remove(stored.object)
      throw new AppError('upload_url_invalid', 'The team of this upload URL was deleted.')
    }
    const settled = await settle({ db, blobs, nowMs: nowMs() }, [stored])
    if (settled.has(stored.object)) return blobs.recorded([stored.object])
    if (attempt < maxAttempts) await record(stored, attempt + 1)
    else throw new Error('A blob keeps being collected between recording and lookup.')
  }

  async function isDeleted(teamId: string): Promise<boolean> {
    const live = and(eq(teams.id, teamId), isNull(teams.deletedMs))
    return (await db.select({ id: teams.id }).from(teams).where(live)).length === 0
  }

  return async ({ teamId, sha256, size }, source, reservation) => {
    const object = await blobs.put(teamId, { sha256, size }, source)
    await reservation?.confirm().catch(async (error: unknown) => {
      await blobs.remove(object)
      throw error
    })
    await record({ teamId, sha256, size, object }, 1)
    return { sha256, size }
  }
}
