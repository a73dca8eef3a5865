/** Reads files: those that are named on the command line, and those that a command finds by itself. */
import { type Links, readBounded } from '../data-dir/read-bounded.ts'
import { failed, usageFailure } from './failure.ts'
import { isOwnerTrusted } from './trusted-owner.ts'

/** The text of an argument's file, which may be a pipe. @throws Failure with the reason if it can't be read. */
export async function readTextFile(file: string): Promise<string> {
  // Loaded on demand: most commands read no file.
  const { readFile } = await import('node:fs/promises')
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw failed(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, error)
  })
}

/**
 * The text of a file that nobody named, and that may come with a repository of somebody else; undefined if there is none.
 * @throws Failure (2) that names the file, unless it is a regular one of at most `maxBytes`, and no link where those are
 *   refused.
 */
export function readFoundFile(
  path: string,
  { maxBytes, links = 'refused' }: { maxBytes: number; links?: Links },
): string | undefined {
  return readFound(path, { maxBytes, links })?.bytes.toString('utf8')
}

/**
 * The same of a file that decides what is done, and therefore has to be one of a trusted owner.
 * @throws Failure (2) also for a file of another user.
 */
export function readDecidingFile(path: string, maxBytes: number): string | undefined {
  const found = readFound(path, { maxBytes, links: 'refused' })
  if (!found) return undefined
  if (isOwnerTrusted(found.stat)) return found.bytes.toString('utf8')
  throw usageFailure(
    `${path} belongs to another user (${found.stat.uid}), who could decide with it what is done in your name. ` +
      'Make it yours if you trust what it says: a copy of it is.',
  )
}

function readFound(path: string, bounds: { maxBytes: number; links: Links }) {
  const found = readBounded(path, bounds)
  if (!found || 'bytes' in found) return found
  throw usageFailure(`${path} ${found.problem}. It has to be a file of at most ${bounds.maxBytes} bytes.`)
}
