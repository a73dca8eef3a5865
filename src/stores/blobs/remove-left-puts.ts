/** Removes objects that a process put, and died before the database knew of them. */
import type { Tenure } from '../data-dir/tenures.ts'
import type { Database } from '../db/database.ts'
import type { BlobStore } from './blob-store.ts'
import { findNamed } from './object-names.ts'
import { leftPuts } from './put-journal.ts'

/** Longer than the last transaction of a process takes to end after it. */
const restMs = 10_000

type Deps = {
  db: Database
  blobs: BlobStore
  /** The directory of the journals. */
  directory: string
  tenure: Tenure | undefined
}

/** Works through the journals of dead processes as of `nowMs`, by this machine's clock. */
export async function removeLeftPuts({ db, blobs, directory, tenure }: Deps, nowMs: number): Promise<void> {
  for await (const { objects, forget } of leftPuts(directory, nowMs - restMs, tenure)) {
    const named = await findNamed(db, objects)
    for (const object of objects) if (!named.has(object)) await blobs.remove(object)
    await forget()
  }
}
