/** Reads files that a command finds by itself. */
import { readBounded } from '../stores/data-dir/read-bounded.ts'
import { distrustOf } from '../stores/data-dir/trusted-owner.ts'
import { usageFailure } from './command-failure.ts'

/**
 * The text of a file that nobody named, and that may come with a repository of somebody else; undefined if
 * there is none.
 * @throws Failure (2) that names the file, unless it is a regular one of at most `maxBytes`, and no link.
 */
export function readFoundFile(path: string, { maxBytes }: { maxBytes: number }): string | undefined {
  return readFound(path, maxBytes)?.bytes.toString('utf8')
}

/**
 * The same of a file that decides what is done, and therefore has to be one of a trusted owner.
 * @throws Failure (2) also for a file of another user, or one that every user may write.
 */
export function readDecidingFile(path: string, maxBytes: number): string | undefined {
  const found = readFound(path, maxBytes)
  const distrust = found && distrustOf(path, found.stat)
  if (distrust !== undefined) throw usageFailure(distrust)
  return found?.bytes.toString('utf8')
}

function readFound(path: string, maxBytes: number) {
  const found = readBounded(path, { maxBytes, links: 'refused' })
  if (!found || 'bytes' in found) return found
  throw usageFailure(`${path} ${found.problem}. It has to be a file of at most ${maxBytes} bytes.`)
}
