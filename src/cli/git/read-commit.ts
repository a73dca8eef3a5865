/** Reads a commit from the objects of a repository. */
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type { Repository } from './find-repository.ts'
import { inflateOptions, maxObjectBytes } from './object-bounds.ts'
import { readGitBytes } from './read-git-file.ts'
import { readPackedObject } from './read-packed-object.ts'

export type Commit = {
  /** The first paragraph of the message as one line, as git's `%s`. */
  subject: string
  /** The author's name, as git's `%an`. */
  author: string
}

/**
 * A commit; undefined if it isn't there, or too large. Objects that the repository borrows
 * (`objects/info/alternates`) aren't read: they may be those of any other.
 * @throws Failure for a file that is a link, no regular one, or too large; Error for damaged objects.
 */
export function readCommit({ common }: Repository, commit: string): Commit | undefined {
  const content = readLoose(common, commit) ?? readPackedObject(common, commit)
  return content && parse(content)
}

/** An object in a file of its own: a header such as `commit 123`, a NUL, and the content. */
function readLoose(common: string, id: string): Buffer | undefined {
  const bytes = readGitBytes(common, join('objects', id.slice(0, 2), id.slice(2)), maxObjectBytes)
  if (!bytes) return undefined
  const object = inflateSync(bytes, inflateOptions(maxObjectBytes))
  const start = object.indexOf(0) + 1
  return object.toString('latin1', 0, start).startsWith('commit ') ? object.subarray(start) : undefined
}

/** Headers, an empty line, and the message, in the encoding that a header may name. */
function parse(commit: Buffer): Commit {
  const end = commit.indexOf('\n\n')
  const head = end === -1 ? commit : commit.subarray(0, end)
  const [, encoding = 'utf-8'] = /^encoding (\S+)$/m.exec(head.toString('latin1')) ?? []
  const [, author = ''] = /^author ([^<\n]*?) *</m.exec(decode(head, encoding)) ?? []
  return { author, subject: end === -1 ? '' : subjectOf(decode(commit.subarray(end + 2), encoding)) }
}

function subjectOf(message: string): string {
  const [text = ''] = message.split('\u0000')
  const [paragraph = ''] = text.replace(/^(?:[^\S\n]*\n)+/, '').split(/\n[^\S\n]*(?:\n|$)/, 1)
  return paragraph
    .split('\n')
    .map((line) => line.trimEnd())
    .join(' ')
    .trimEnd()
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // Not every name is known.
    return bytes.toString('utf8')
  }
}
