/** Reads files of a repository, and none that links among its directories lead to. */
import { realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { readBounded } from '../../stores/data-dir/read-bounded.ts'
import { failed } from '../command-failure.ts'
import { isBelow } from '../deploy/is-below.ts'

/** More than any ref or `.git` has. */
const smallBytes = 8 * 1024

/**
 * The bytes of the file at `path` in the directory `root`, undefined if there is none.
 * @throws Failure unless it is a regular one of at most `maxBytes`, and in `root` without links.
 */
export function readGitBytes(root: string, path: string, maxBytes: number): Buffer | undefined {
  const absolute = join(root, path)
  if (!requireWithin(root, dirname(absolute))) return undefined
  const found = readBounded(absolute, { maxBytes, links: 'refused' })
  if (found && 'problem' in found) throw failed(`${absolute} ${found.problem}`)
  return found?.bytes
}

/** The text of a small file, such as a ref. @throws Failure as `readGitBytes` does. */
export function readGitFile(root: string, path: string, maxBytes = smallBytes): string | undefined {
  return readGitBytes(root, path, maxBytes)?.toString('utf8')
}

/** Whether there is such a directory. @throws Failure for one that a link leads to, out of `root`. */
export function requireWithin(root: string, directory: string): boolean {
  try {
    if (isBelow(relative(realpathSync.native(root), realpathSync.native(directory)))) return true
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false
    throw error
  }
  throw failed(`${directory} is a link out of the repository`)
}
