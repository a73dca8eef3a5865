/** The message and the author of a commit, for the `meta` of its deployment. */
import { AppError } from '../../lib/errors.ts'
import { toPrintable } from '../../lib/names/printable.ts'
import type { Objects } from './objects.ts'

/** The longest value, in UTF-16 code units. */
const maxLength = 1_000

/** The largest commit, which is its message for the most part. */
const maxCommitBytes = 1024 * 1024

/**
 * The first paragraph of the message as one line, and the author's name without the address, of characters
 * that are safe to store and to print.
 * @throws AppError `invalid_input` for a commit that is too large, before it is read.
 */
export async function readMeta(objects: Objects, commit: string): Promise<Record<string, string>> {
  const text = decoded(await objects.readCommit(commit, requireSmall))
  const { author, message } = partsOf(text)
  const entries = Object.entries({ message, author }).map(([key, value]) => [key, cleaned(value)])
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

function requireSmall(bytes: number): void {
  if (bytes <= maxCommitBytes) return
  const text = `The commit has ${bytes} bytes with its message; it may have ${maxCommitBytes}.`
  throw new AppError('invalid_input', text)
}

/** The text of a commit, whose header names its encoding unless it is UTF-8 (git-commit(1), "Discussion"). */
function decoded(commit: Buffer): string {
  const end = commit.indexOf('\n\n')
  const [, label = 'utf-8'] = /^encoding (.+)$/m.exec(commit.toString('latin1', 0, Math.max(0, end))) ?? []
  return decoderOf(label).decode(commit)
}

function decoderOf(label: string) {
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder()
    throw error
  }
}

/** A header, an empty line, and the message, whose first paragraph is its subject, as git shows them. */
function partsOf(commit: string): { author: string; message: string } {
  const end = commit.indexOf('\n\n')
  const header = end === -1 ? commit : commit.slice(0, end)
  const [, author = ''] = /^author ([^<\n]*)</m.exec(header) ?? []
  const [text = ''] = (end === -1 ? '' : commit.slice(end)).split('\0', 1)
  const lines = text.split('\n').map((line) => line.trimEnd())
  const first = lines.findIndex((line) => line !== '')
  const subject = first === -1 ? [] : lines.slice(first)
  const after = subject.indexOf('')
  return { author, message: subject.slice(0, after === -1 ? undefined : after).join(' ') }
}

function cleaned(text: string): string {
  return toPrintable(text).trim().slice(0, maxLength).toWellFormed()
}
