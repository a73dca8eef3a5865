/** Reads the files that a build left, which may be anything but files. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { relative } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { toPrintable } from '../../lib/names/printable.ts'

/** A problem with what a build left, as a sentence for the builder. */
export class LeftProblem extends Error {}

/** A file at `source` on this host, without links; `path` and `where` name it for people. */
export type LeftFile = { path: string; source: string; where: string }

/** A file as it was when it was read. */
export type LeftContent = { sha256: string; size: number; isExecutable: boolean }

/**
 * The digest of a file that is read once, and never through a link. All processes of the build must have
 * ended.
 * @throws LeftProblem that names it; the reason of the signal when that aborts.
 */
export async function digestLeft(
  { path, source, where }: LeftFile,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<LeftContent> {
  // Opening a pipe would block.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(source, flags).catch((error: unknown) => refuseLeft({ path, where }, error))
  try {
    const found = await file.stat()
    if (!found.isFile())
      throw new LeftProblem(`${shownPath(path)} in ${where} links to something that is not a file.`)
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      signal?.throwIfAborted()
      size += chunk.length
      if (size > maxBytes)
        throw new LeftProblem(`${shownPath(path)} in ${where} has more than ${maxBytes} bytes.`)
      hash.update(chunk)
    }
    return { sha256: hash.digest('hex'), size, isExecutable: (found.mode & constants.S_IXUSR) !== 0 }
  } finally {
    await file.close()
  }
}

/**
 * Throws a system's error for a path as a LeftProblem, if a build can cause it. A name that isn't UTF-8 is
 * decoded to another, which doesn't exist.
 */
export function refuseLeft({ path, where }: Omit<LeftFile, 'source'>, error: unknown): never {
  const named = `${shownPath(path)} in ${where}`
  if (hasCode(error, 'EACCES')) throw new LeftProblem(`${named} can't be read.`)
  if (hasCode(error, 'ENOENT')) throw new LeftProblem(`The name of ${named} is not UTF-8.`)
  if (hasCode(error, 'ENXIO')) throw new LeftProblem(`${named} is not a file.`)
  if (hasCode(error, 'ELOOP')) throw new LeftProblem(`${named} is a link, which it was not before.`)
  throw error
}

/** Whether a path is below a directory, both without links. */
export function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith('../')
}

const shownLength = 200

/** A path for a message. */
export function shownPath(path: string): string {
  return toPrintable(path).slice(0, shownLength).toWellFormed()
}
