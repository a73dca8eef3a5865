/** Writes the files of a manifest into a workspace. */

import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { pathProblem } from '../../lib/names/file-path.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Database } from '../../stores/db/database.ts'
import { blobs as blobRows } from '../../stores/db/schema/blobs.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import { giveToOwner, type Workspace } from '../sandbox/workspace.ts'

type Deps = { db: Database; blobs: BlobStore }

const parallelFiles = 16

/**
 * Streams every file of the manifest to its path, in an empty workspace.
 * @throws AppError `store_unavailable`; the signal's reason when it aborts; Error for an invalid path.
 */
export async function writeSources(
  { db, blobs }: Deps,
  manifestId: number,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<void> {
  const entries = await db
    .select({ path: manifestEntries.path, object: blobRows.object })
    .from(manifestEntries)
    .innerJoin(blobRows, eq(blobRows.id, manifestEntries.blobId))
    .where(eq(manifestEntries.manifestId, manifestId))
  const made = new Set<string>()
  await inParallel(entries, parallelFiles, async ({ path, object }) => {
    signal.throwIfAborted()
    const problem = pathProblem(path)
    if (problem) throw new Error(`The path ${spelledOut(path)} ${problem}.`)
    const target = join(workspace.files, path)
    const directory = dirname(target)
    if (!made.has(directory)) await mkdir(directory, { recursive: true })
    made.add(directory)
    // Manifests have no permissions, and scripts must be executable.
    await pipeline(blobs.stream(object), createWriteStream(target, { flags: 'wx', mode: 0o755 }))
  })
  await giveToOwner(workspace)
}
