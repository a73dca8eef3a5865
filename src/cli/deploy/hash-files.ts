/** Computes the digests of files, several at a time. */
import { createHash, hash, webcrypto } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed } from '../failure.ts'
import { plain } from '../terminal/output.ts'
import { inParallel } from './in-parallel.ts'
import type { SiteFile } from './walk-site.ts'

/** A file with the SHA-256 of its content, in lower-case hex. */
export type HashedFile = SiteFile & { sha256: string }

const filesAtATime = 16

/** Up to here, handing a file to another thread takes longer than reading and computing it. */
const smallBytes = 64 * 1024

/** Larger files aren't held in memory as a whole. */
const wholeBytes = 4 * 1024 * 1024

/**
 * The files below `root` with their digests; `known` may tell one without reading the file.
 * @throws Failure for a file that isn't any more what was found before.
 */
export async function hashFiles(
  root: string,
  files: SiteFile[],
  known: (file: SiteFile) => string | undefined,
  { signal, onFile }: { signal: AbortSignal; onFile: (file: SiteFile) => void },
): Promise<HashedFile[]> {
  return inParallel(files, filesAtATime, async (file) => {
    signal.throwIfAborted()
    const sha256 = known(file) ?? (await digest(join(root, file.path), file))
    onFile(file)
    return { ...file, sha256 }
  })
}

async function digest(absolute: string, { path, size }: SiteFile): Promise<string> {
  const { sha256, bytes } =
    size <= smallBytes
      ? hashSmall(absolute)
      : await (size <= wholeBytes ? hashWhole(absolute) : hashStream(absolute))
  if (bytes !== size) throw failed(`${plain(path)} changed while it was read. Deploy again.`)
  return sha256
}

function hashSmall(absolute: string) {
  const content = readFileSync(absolute)
  return { sha256: hash('sha256', content), bytes: content.length }
}

async function hashWhole(absolute: string) {
  const content = await readFile(absolute)
  // On the system's threads, where those of other files are computed at the same time.
  const digest = await webcrypto.subtle.digest('SHA-256', content)
  return { sha256: Buffer.from(digest).toString('hex'), bytes: content.length }
}

async function hashStream(absolute: string) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(absolute, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}
