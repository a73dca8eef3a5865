/** The dependencies of a check's parts. */

import type { TrashLimits } from '../../platform/deployments/garbage/stray-objects.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Problem } from '../../stores/data-dir/admin-streams.ts'
import type { Database } from '../../stores/db/database.ts'

export type CheckDeps = {
  db: Database
  /** The store itself, without a cache. */
  blobs: BlobStore
  keys: { env: Buffer; webhooks: Buffer; secondFactors: Buffer; certificates: Buffer }
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
