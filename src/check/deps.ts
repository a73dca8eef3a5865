/** What the parts of a check work with. */
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Problem } from '../data-dir/admin-streams.ts'
import type { Database } from '../db/database.ts'
import type { TrashLimits } from '../deployments/sweep-stray.ts'

export type CheckDeps = {
  db: Database
  /** The store itself, without a cache. */
  blobs: BlobStore
  keys: { env: Buffer; webhooks: Buffer; certificates: Buffer }
  trash: TrashLimits
  nowMs: () => number
  /** Gets objects that are missing or not what they should be. */
  onLost: (objects: string[]) => Promise<void>
  /** Whether the bytes of all files are read. */
  deep: boolean
  mend: boolean
}

/** A part of the check: the problems that it finds, in pages, which may be empty. */
export type Part = (deps: CheckDeps) => AsyncGenerator<Found[]>

export type Found = Omit<Problem, 'type'>
