/** From the files in a zip to those of a deployment, named by their digests. */
import { createHash } from 'node:crypto'
import { inParallel } from '../../../lib/async/in-parallel.ts'
import type { SentContent } from '../check-files.ts'
import type { FileInput } from '../deployment-input.ts'
import type { ZippedFile } from './read-zip.ts'

const filesAtATime = 8

/**
 * Reads every file once, and keeps nothing of it. @throws AppError `invalid_input` for content that isn't
 * what the zip says; the reason of `signal` once that aborts.
 */
export async function hashZip(
  files: ZippedFile[],
  signal: AbortSignal,
): Promise<{ files: FileInput[]; content: SentContent }> {
  const content: SentContent = new Map()
  const hashed = await inParallel(files, filesAtATime, async (file) => {
    const hash = createHash('sha256')
    for await (const chunk of file.content()) {
      signal.throwIfAborted()
      hash.update(chunk)
    }
    const sha256 = hash.digest('hex')
    content.set(sha256, file.content)
    return { path: file.path, sha256, size: file.size }
  })
  return { files: hashed, content }
}
