/** The digests of files in a repository, each read once. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Objects } from './objects.ts'
import { GitFailed } from './run-git.ts'
import { refused, type TreeFile } from './tree.ts'

/** The digests of files by repository and object: git's name of an object follows from its content alone. */
const known = new LRUCache<string, string>({ max: 50_000 })

/** How a file begins that stands for one in Git LFS, and the most bytes of one (git-lfs, specification). */
const pointer = 'version https://git-lfs.github.com/spec/v1'
const maxPointerBytes = 1_024

type Source = { directory: string; objects: Objects; signal: AbortSignal }

/** The SHA-256 of a file. @throws AppError `invalid_input` for a pointer of Git LFS, or where git fails. */
export async function digestOf(
  { directory, objects, signal }: Source,
  { path, oid, size }: TreeFile,
): Promise<string> {
  const key = `${directory} ${oid}`
  const before = known.get(key)
  if (before !== undefined) return before
  const hash = createHash('sha256')
  try {
    for await (const chunk of objects.read(oid, size)) {
      signal.throwIfAborted()
      if (size <= maxPointerBytes && chunk.toString('latin1', 0, pointer.length) === pointer)
        throw refused(path, 'stands for a file in Git LFS: commit the file itself')
      hash.update(chunk)
    }
  } catch (error) {
    if (!(error instanceof GitFailed) || signal.aborted) throw error
    throw refused(path, unreadable)
  }
  const digest = hash.digest('hex')
  known.set(key, digest)
  return digest
}

const unreadable =
  'can not be read: git needs more memory or time for it than it may have on this server, ' +
  'as for a large file that is packed as a change of another one (core.bigFileThreshold), or it is damaged'
