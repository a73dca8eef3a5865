/** Computes the digests of files concurrently. */
import { createHash, hash, webcrypto } from 'node:crypto'
import { closeSync, constants, createReadStream, fstatSync, openSync, readFile, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inParallel } from '../../async/in-parallel.ts'
import { failed } from '../failure.ts'
import type { SiteFile } from './walk-site.ts'

/** A file with the SHA-256 of its content, in lower-case hex. */
export type HashedFile = SiteFile & { sha256: string }

const filesAtATime = 16

/** To open a FIFO that took a file's place would wait. Windows has no such flag. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants

const unknown = ''

/** Up to this size, reading and hashing is faster than handing the file to another thread. */
const smallBytes = 64 * 1024

/** Larger files are streamed. */
const wholeBytes = 4 * 1024 * 1024

/**
 * The files below `root` with their digests; `known` may return one without reading the file. `onDone` gets the number
 * of files, and of bytes, that are done.
 * @throws Failure for a file that changed since it was found.
 */
export async function hashFiles(
  root: string,
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
    file.sha256 = await digest(join(root, file.path), file)
    onDone(1, file.size)
  })
  return hashed
}

/** Lists the fields: spreading takes several times as long. */
function withDigest({ path, size, modifiedMs, changedMs, inode }: SiteFile, sha256: string): HashedFile {
  return { path, size, modifiedMs, changedMs, inode, sha256 }
}

/** The digest of the file that was found, and of no other that has its name by now, such as one outside of the site. */
async function digest(absolute: string, { path, size, inode }: SiteFile): Promise<string> {
  const fd = openSync(absolute, O_RDONLY | O_NONBLOCK)
  try {
    const isSame = fstatSync(fd).ino === inode
    const { sha256, bytes } = !isSame
      ? { sha256: unknown, bytes: -1 }
      : size <= smallBytes
        ? hashSmall(fd)
        : await (size <= wholeBytes ? hashWhole(fd) : hashStream(fd))
    if (bytes !== size) throw failed(`${path} changed while it was read. Deploy again.`)
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
