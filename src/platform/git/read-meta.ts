/** What a commit says of itself, for the `meta` of its deployment. */
import { AppError } from '../../lib/errors.ts'
import { toPrintable } from '../../lib/names/printable.ts'
import { GitFailed, runGit } from './run-git.ts'

/** Of a value, in UTF-16 code units. */
const maxLength = 1_000

/** Of a commit, which is its message for the most part. */
const maxCommitBytes = 1024 * 1024

/**
 * The first line of the message, and the author's name without the address, of characters that are safe to
 * store and to print.
 * @throws AppError `invalid_input` for a commit that is too large, before it is read.
 */
export async function readMeta(directory: string, commit: string): Promise<Record<string, string>> {
  const bytes = await sizeOf(directory, commit)
  if (bytes > maxCommitBytes)
    throw new AppError(
      'invalid_input',
      `The commit has ${bytes} bytes with its message; it may have ${maxCommitBytes}.`,
    )
  // Its parents, which may be larger, are not looked at.
  const args = ['log', '-1', '--no-walk', '--no-show-signature', '--format=%an%x00%s', commit]
  const output = await runGit(directory, args)
  const [author = '', message = ''] = output.toString().trimEnd().split('\0')
  const entries = Object.entries({ message, author }).map(([key, value]) => [key, cleaned(value)])
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

function cleaned(text: string): string {
  return toPrintable(text).trim().slice(0, maxLength).toWellFormed()
}

async function sizeOf(directory: string, commit: string): Promise<number> {
  const output = await runGit(directory, ['cat-file', '--batch-check'], `${commit}\n`)
  const [, bytes] = /^[0-9a-f]+ commit (\d+)$/m.exec(output.toString()) ?? []
  if (bytes === undefined) throw new GitFailed(`${commit} is no commit.`)
  return Number(bytes)
}
