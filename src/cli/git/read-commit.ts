/** Reads the message of a commit from the objects of a repository. */
import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inflateSync } from 'node:zlib'
import { isOwnerTrusted } from '../trusted-owner.ts'
import type { Repository } from './find-repository.ts'
import { inflateOptions, maxObjectBytes } from './object-bounds.ts'
import { readGitBytes, readGitFile } from './read-git-file.ts'
import { readPackedObject } from './read-packed-object.ts'

/** Directories of objects that others borrow from. */
const maxDirectories = 8

/**
 * The subject of a commit: its first paragraph as one line, as git's `%s`; undefined if the commit isn't there, or too
 * large.
 * @throws Failure for a file that is a link, no regular one, or too large; Error for damaged objects.
 */
export function readSubject({ common }: Repository, commit: string): string | undefined {
  for (const directory of objectDirectories(join(common, 'objects'))) {
    const content = readLoose(directory, commit) ?? readPackedObject(directory, commit)
    if (content) return subjectOf(content)
  }
  return undefined
}

/** The directory and those that it borrows from (gitrepository-layout(5), `objects/info/alternates`). */
function objectDirectories(first: string): string[] {
  const found = [first]
  for (const directory of found) {
    const lines = readGitFile(join(directory, 'info', 'alternates'))?.split('\n') ?? []
    for (const line of lines.filter((each) => each !== '' && !/^[#"]/.test(each))) {
      const path = resolve(directory, line)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      const isUsable = stat?.isDirectory() && isOwnerTrusted(stat)
      if (isUsable && !found.includes(path) && found.length < maxDirectories) found.push(path)
    }
  }
  return found
}

/** An object in a file of its own: a header such as `commit 123`, a NUL, and the content. */
function readLoose(directory: string, id: string): Buffer | undefined {
  const bytes = readGitBytes(join(directory, id.slice(0, 2), id.slice(2)), maxObjectBytes)
  if (!bytes) return undefined
  const object = inflateSync(bytes, inflateOptions(maxObjectBytes))
  const start = object.indexOf(0) + 1
  return object.toString('latin1', 0, start).startsWith('commit ') ? object.subarray(start) : undefined
}

/** Headers, an empty line, and the message, in the encoding that a header may name. */
function subjectOf(commit: Buffer): string {
  const end = commit.indexOf('\n\n')
  if (end === -1) return ''
  const [, encoding = 'utf-8'] = /^encoding (\S+)$/m.exec(commit.toString('latin1', 0, end)) ?? []
  const [text = ''] = decode(commit.subarray(end + 2), encoding).split('\u0000')
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
