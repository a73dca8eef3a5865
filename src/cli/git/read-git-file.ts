/** Reads files of a repository. */
import { readBounded } from '../../data-dir/read-bounded.ts'
import { failed } from '../failure.ts'

/** More than any ref or `.git` has. */
const smallBytes = 8 * 1024

/** The bytes of the file, undefined if there is none. @throws Failure unless it is a regular one of at most `maxBytes`. */
export function readGitBytes(path: string, maxBytes: number): Buffer | undefined {
  const found = readBounded(path, { maxBytes, links: 'refused' })
  if (found && 'problem' in found) throw failed(`${path} ${found.problem}`)
  return found?.bytes
}

/** The text of the small file at `path`, such as a ref. @throws Failure as `readGitBytes` does. */
export function readGitFile(path: string, maxBytes = smallBytes): string | undefined {
  return readGitBytes(path, maxBytes)?.toString('utf8')
}
