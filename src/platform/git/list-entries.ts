/** Lists the tree of a commit, which may be far larger than what was sent of it. */
import { isUtf8 } from 'node:buffer'
import { AppError } from '../../lib/errors.ts'
import { maxPathBytes } from '../../lib/names/file-path.ts'
import { toNfc } from '../../lib/names/nfc.ts'
import { recordsOf } from './records.ts'
import { exitOf, GitFailed, startGit } from './run-git.ts'
import { type Entry, refused, tooMany } from './tree.ts'

/** The bounds of a commit's listing: entries with directories, bytes that git prints, time, levels. */
export type ListingBounds = { entries: number; bytes: number; ms: number; levels: number }

/** More than a deployment may have: dependencies that somebody committed are left out later. */
const usual: ListingBounds = { entries: 200_000, bytes: 32 * 1024 * 1024, ms: 20_000, levels: 100 }

/** The longest record without its path: mode, type, id and size. */
const maxHeadBytes = 150

/** The longest path before it is composed, in bytes: its composed form counts, which may have fewer. */
const maxRawBytes = 3 * maxPathBytes

type Source = { directory: string; commit: string; signal: AbortSignal }

/**
 * All entries of the tree of `commit`, without directories.
 * @throws AppError `invalid_input` for more than the bounds, and for an invalid path.
 */
export async function listEntries({ directory, commit, signal }: Source, bounds = usual): Promise<Entry[]> {
  const late = AbortSignal.timeout(bounds.ms)
  // Directories are listed, too, so that those without any file count.
  const child = startGit(directory, ['ls-tree', '-r', '-t', '-z', '-l', '--full-tree', commit], {
    signal: AbortSignal.any([signal, late]),
  })
  child.stdin.end()
  child.stderr.resume()
  const exit = exitOf(child)
  try {
    const entries = await readEntries(child.stdout, bounds)
    const code = await exit
    if (code !== 0) throw new GitFailed(`git ls-tree ended with ${code}.`)
    return entries
  } catch (error) {
    child.kill('SIGKILL')
    if (late.aborted && !signal.aborted) throw tooSlow(bounds)
    throw error
  }
}

async function readEntries(output: AsyncIterable<Buffer>, bounds: ListingBounds): Promise<Entry[]> {
  const entries: Entry[] = []
  let count = 0
  let bytes = 0
  const perRecord = {
    maxBytes: maxHeadBytes + maxRawBytes,
    tooLong: (beginning: Buffer) => tooLong(beginning.toString().split('\t')[1] ?? ''),
  }
  for await (const records of recordsOf(output, perRecord)) {
    for (const record of records) {
      count += 1
      bytes += record.length
      if (count > bounds.entries) throw tooMany(`more than ${bounds.entries} entries, with its directories`)
      if (bytes > bounds.bytes) throw tooMany(`paths and directories of more than ${bounds.bytes} bytes`)
      // Its path is in those of the files below it, which are looked at.
      if (!record.subarray(0, directoryMode.length).equals(directoryMode))
        entries.push(entryIn(record, bounds))
    }
  }
  return entries
}

const directoryMode = Buffer.from('040000')

const line = /^(\d+) \w+ ([0-9a-f]{40,64}) +(\d+|-)\t(.*)$/s

function entryIn(bytes: Buffer, { levels }: ListingBounds): Entry {
  if (!isUtf8(bytes))
    throw refused(bytes.toString('latin1').split('\t')[1] ?? '', 'has a name that is not UTF-8')
  const [, mode = '', oid = '', size = '', named = ''] = line.exec(bytes.toString()) ?? []
  const path = toNfc(named)
  if (path.length > maxPathBytes || Buffer.byteLength(path) > maxPathBytes) throw tooLong(path)
  if (path.split('/').length > levels) throw refused(path, `must have at most ${levels} segments`)
  return { mode, oid, size: size === '-' ? 0 : Number(size), path }
}

function tooLong(path: string): AppError {
  return refused(path, `must have at most ${maxPathBytes} bytes`)
}

function tooSlow({ ms }: ListingBounds): AppError {
  return new AppError('invalid_input', `The commit has a tree that takes more than ${ms / 1_000} s to list.`)
}
