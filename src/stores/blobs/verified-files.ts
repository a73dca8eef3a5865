/**
 * Which files of objects were verified, and haven't been touched since: hashing a large one for each reader
 * costs too much.
 */
import type { BigIntStats } from 'node:fs'
import { LRUCache } from 'lru-cache'

export type VerifiedFiles = {
  /** Whether the file, as the file system describes it now, is one that was verified. */
  has(object: string, found: BigIntStats): boolean
  /** The file was verified after the file system had described it so. */
  add(object: string, found: BigIntStats): void
  drop(object: string): void
}

const maxFiles = 50_000

/** Disks damage bytes without the file system's knowledge, if rarely. */
const trustedMs = 60 * 60_000

/** The files that this process has verified. */
export function createVerifiedFiles(): VerifiedFiles {
  const stamps = new LRUCache<string, string>({ max: maxFiles, ttl: trustedMs })
  return {
    has: (object, found) => stamps.get(object) === stampOf(found),
    add: (object, found) => void stamps.set(object, stampOf(found)),
    drop: (object) => void stamps.delete(object),
  }
}

/** Every change sets `ctime`, which nobody can set back. */
function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}
