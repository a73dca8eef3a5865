/** The files of a commit, as sources are recognized among them. */
import { inTurns } from '../../lib/async/in-turns.ts'
import { AppError } from '../../lib/errors.ts'
import { type Found, foundIn } from '../../lib/frameworks/found.ts'
import { ManifestProblem } from '../../lib/frameworks/manifest.ts'
import type { Objects } from './objects.ts'
import { contentOf } from './tree.ts'

/** The files as they are found in and above `folder`. */
export function foundAmong<File extends { path: string; size: number; oid: string }>(
  objects: Objects,
  files: readonly File[],
  folder: string,
): Promise<Found> {
  return inTurns(foundIn(files, async (file) => (await contentOf(objects, file)).toString(), folder))
}

/** Resolves as `read` does. @throws AppError `invalid_input` for a manifest that can't be read. */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    if (!(error instanceof ManifestProblem)) throw error
    throw new AppError('invalid_input', error.message, { cause: error })
  })
}
