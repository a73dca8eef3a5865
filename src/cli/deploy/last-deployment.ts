/** A cache of a directory's last deployment, so that the next one reads and sends only what changed. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isRecord } from '../../lib/is-record.ts'
import { readFoundFile } from '../read-file.ts'
import type { SiteFile } from './site-file.ts'

/** By what a file is known again. Numbers of devices change when a machine starts. */
type Known = Pick<SiteFile, 'path' | 'size' | 'modifiedMs' | 'changedMs' | 'inode'>
type Digested = Known & { sha256: string }

export type Memory = {
  /** The digest of a file that hasn't changed since, or undefined. */
  digestOf(file: Known): string | undefined
  /** Whether a blob was part of the last deployment to `destination`. */
  wasSent(destination: string, sha256: string): boolean
  /** Stores what was just deployed; errors are ignored. */
  remember(destination: string, files: Digested[]): void
}

/** An array: thousands of names as keys of one object take several times as long to read and write. */
type Entry = [
  path: string,
  size: number,
  modifiedMs: number,
  changedMs: number,
  inode: number,
  sha256: string,
]
type Kept = { version: 2; readMs: number; destination: string; files: Entry[] }

/**
 * The resolution of file timestamps: content may change again within it. Some file systems count whole
 * seconds, or two.
 */
const clockMs = 50
const coarseClockMs = 2_100

/** The memory of the directory `root`, in the user's cache directory. `nowMs` is when the walk began. */
export function recall(env: NodeJS.ProcessEnv, root: string, nowMs: number): Memory {
  const path = memoryPath(env, root)
  const { destination, readMs, files } = read(path)
  const entries = new Map(files.map((entry) => [entry[0], entry]))
  const digests = new Set(files.map((entry) => entry[5]))

  return {
    digestOf({ path, size, modifiedMs, changedMs, inode }) {
      const entry = entries.get(path)
      if (!entry || isTooNew(readMs, modifiedMs) || isTooNew(readMs, changedMs)) return undefined
      // Unpacking thousands of entries takes as long as looking them up.
      const same = size === entry[1] && modifiedMs === entry[2] && changedMs === entry[3]
      return same && inode === entry[4] ? entry[5] : undefined
    },
    wasSent: (to, sha256) => to === destination && digests.has(sha256),
    remember: (to, hashed) =>
      write(path, { version: 2, readMs: nowMs, destination: to, files: hashed.map(toEntry) }),
  }
}

/** Whether a file might have changed after it was read with the same timestamp. */
function isTooNew(readMs: number, timeMs: number): boolean {
  return timeMs > readMs - (Number.isInteger(timeMs / 1000) ? coarseClockMs : clockMs)
}

function memoryPath(env: NodeJS.ProcessEnv, root: string): string {
  const given = [env.XDG_CACHE_HOME, process.platform === 'win32' ? env.LOCALAPPDATA : undefined]
  const directory = given.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.cache')
  const name = createHash('sha256').update(root).digest('hex').slice(0, 32)
  return join(directory, 'svc', 'deployed', `${name}.json`)
}

/** The size of the record of a hundred thousand files with long paths. */
const maxBytes = 128 * 1024 * 1024

const nothing: Kept = { version: 2, readMs: 0, destination: '', files: [] }

function read(path: string): Kept {
  try {
    const kept: unknown = JSON.parse(readFoundFile(path, { maxBytes }) ?? 'null')
    return isKept(kept) ? kept : nothing
  } catch {
    // Damaged, or no file: everything is read again.
    return nothing
  }
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || !Array.isArray(value.files)) return false
  if (value.version !== 2 || typeof value.readMs !== 'number' || typeof value.destination !== 'string')
    return false
  return value.files.every(isEntry)
}

function isEntry(value: unknown): boolean {
  return Array.isArray(value) && value.length === 6 && /^[0-9a-f]{64}$/.test(String(value[5]))
}

function write(path: string, kept: Kept): void {
  const temporary = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, JSON.stringify(kept), { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    removeIfAny(temporary)
  }
}

function removeIfAny(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The cache directory can't be created either.
  }
}

function toEntry({ path, size, modifiedMs, changedMs, inode, sha256 }: Digested): Entry {
  return [path, size, modifiedMs, changedMs, inode, sha256]
}
