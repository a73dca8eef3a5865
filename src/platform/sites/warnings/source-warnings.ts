/** Warnings of a site whose files look like the sources of one. */
import { inTurns } from '../../../lib/async/in-turns.ts'
import { describeSources } from '../../../lib/frameworks/describe.ts'
import { foundIn } from '../../../lib/frameworks/found.ts'
import { ManifestProblem } from '../../../lib/frameworks/manifest.ts'
import { recognize } from '../../../lib/frameworks/recognize.ts'
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import type { Database } from '../../../stores/db/database.ts'
import type { CheckedFile } from '../file-list.ts'
import { readBlobs } from '../read-blobs.ts'
import type { Warning } from './warning.ts'

const reason = 'sources_without_site'

/**
 * The warning about files, whose blobs are known by digest, that are served though they look like sources;
 * none for a site. @throws AppError `store_unavailable`.
 */
export async function sourceWarnings(
  stores: { db: Database; blobs: BlobStore },
  files: readonly CheckedFile[],
  known: ReadonlyMap<string, { id: number }>,
): Promise<Warning[]> {
  const read = async ({ bytes, sha256 }: CheckedFile) => {
    const id = known.get(sha256)?.id
    const content = bytes ?? (await readBlobs(stores, id === undefined ? [] : [id])).get(sha256)
    return content?.toString() ?? ''
  }
  try {
    const contents = await recognize(await inTurns(foundIn(files, read)))
    if (contents.kind === 'site') return []
    return [{ reason, message: `${describeSources(contents.sources)} They are served as they are.` }]
  } catch (error) {
    if (error instanceof ManifestProblem) return [{ reason, message: error.message }]
    throw error
  }
}
