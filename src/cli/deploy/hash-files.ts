/** Computes the digests of files concurrently. */
import { createHash, hash, webcrypto } from 'node:crypto'
import { closeSync, createReadStream, readFile, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { changed, openFound } from './open-found.ts'
import type { SiteFile } from './site-file.ts'

/** A file with the SHA-256 of its content, in lower-case hex. */
export type HashedFile = SiteFile & { sha256: string }

const filesAtATime = 16

const unknown = ''

/** Up to this size, reading and hashing is faster than handing the file to another thread. */
const smallBytes = 64 * 1024

/** Larger files are streamed. */
const wholeBytes = 4 * 1024 * 1024

/**
 * The files with their digests; `known` may return one without reading the file. `onDone` gets the number
 * of files, and of bytes, that are done.
 * @throws Failure for a file that changed since it was found.
 */
export async function hashFiles(
  files: SiteFile[],
  known: (file: SiteFile) => string | undefined,
  { signal, onDone }: { signal: AbortSignal; onDone: (files: number, bytes: number) => void },
): Promise<HashedFile[]> {
  const hashed: HashedFile[] = []
  // Usually few of thousands; the others aren't worth a promise each.
  const unread: HashedFile[] = []
  let knownBytes = 0
  for (const file of files) {
    const sha256 = known(file)
    const entry = withDigest(file, sha256 ?? unknown)
    hashed.push(entry)
    if (sha256 === undefined) unread.push(entry)
    else knownBytes += file.size
  }
  onDone(hashed.length - unread.length, knownBytes)
  await inParallel(unread, filesAtATime, async (file) => {
    signal.throwIfAborted()
    file.sha256 = await digest(file)
    onDone(1, file.size)
  })
  return hashed
}

/** Lists the fields: spreading takes several times as long. */
function withDigest(file: SiteFile, sha256: string): HashedFile {
  const { path, absolute, size, modifiedMs, changedMs, device, inode } = file
  return { path, absolute, size, modifiedMs, changedMs, device, inode, sha256 }
}

async function digest(file: SiteFile): Promise<string> {
  const fd = openFound(file)
  try {
    const { size, path } = file
    const { sha256, bytes } =
      size <= smallBytes ? hashSmall(fd) : await (size <= wholeBytes ? hashWhole(fd) : hashStream(fd))
    if (bytes !== size) throw changed(path)
    return sha256
  } finally {
    closeSync(fd)
  }
}

function hashSmall(fd: number) {
  const content = readFileSync(fd)
  return { sha256: hash('sha256', content), bytes: content.length }
}

async function hashWhole(fd: number) {
  const content = await promisify(readFile)(fd)
  // On the thread pool, concurrently with other files.
  const digest = await webcrypto.subtle.digest('SHA-256', content)
  return { sha256: Buffer.from(digest).toString('hex'), bytes: content.length }
}

async function hashStream(fd: number) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream('', { fd, autoClose: false, highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}
