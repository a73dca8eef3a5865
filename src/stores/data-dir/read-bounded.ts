/**
 * Reads files that somebody else may have put there: regular ones only, up to a size, and without waiting for
 * any.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { hasCode } from '../../lib/has-code.ts'

/** Whether a symbolic link counts as the file that it leads to. */
export type Links = 'followed' | 'refused'

/** The problem of a file, as a predicate (`is a link`). */
export type Problem = { problem: string }

/** Opening a FIFO, or a device, would wait for its other end. Windows has none of these flags. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants

/** The first buffer for a file that reports no size, as those of /proc. */
const smallestBuffer = 4_096

/**
 * The bytes of the regular file at `path`, of which there are at most `maxBytes`, and its properties;
 * undefined if there is none.
 */
export function readBounded(
  path: string,
  { maxBytes, links }: { maxBytes: number; links: Links },
): { bytes: Buffer; stat: Stats } | Problem | undefined {
  return withRegularFile(path, links, (fd, stat) => {
    const room = Math.min(maxBytes, Math.max(stat.size, smallestBuffer))
    const bytes = stat.size > maxBytes ? undefined : readUpTo(fd, room + 1)
    if (!bytes || bytes.length > maxBytes) return { problem: `has more than ${maxBytes} bytes` }
    return bytes.length > room ? { problem: 'changes while it is read' } : { bytes, stat }
  })
}

/**
 * The result of `use` for the regular file at `path`, opened to be read; undefined if there is none. Errors
 * of the file system, also those of `use`, become problems.
 */
export function withRegularFile<T>(
  path: string,
  links: Links,
  use: (fd: number, stat: Stats) => T,
): T | Problem | undefined {
  try {
    // Looked at before, since to open a device may have effects, and afterwards, since it may be another file
    // by then.
    const problem = problemOf(links === 'followed' ? statSync(path) : lstatSync(path))
    if (problem) return { problem }
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (links === 'followed' ? 0 : O_NOFOLLOW))
    try {
      const stat = fstatSync(fd)
      const changed = problemOf(stat)
      return changed ? { problem: changed } : use(fd, stat)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    if (error instanceof Error && 'syscall' in error) return { problem: `can't be read: ${error.message}` }
    throw error
  }
}

function problemOf(stat: Stats): string | undefined {
  if (stat.isFile()) return undefined
  return stat.isSymbolicLink() ? 'is a link' : 'is not a regular file'
}

/** The bytes from `position` on, at most `length`; fewer where the file ends. */
export function readUpTo(fd: number, length: number, position = 0): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}
