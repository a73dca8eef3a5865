/** What is remembered of a directory's last deployment, so that the next one reads and sends only what has changed. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isRecord } from '../is-record.ts'
import type { HashedFile } from './hash-files.ts'
import type { SiteFile } from './walk-site.ts'

export type Memory = {
  /** The digest of a file that has not changed since, or undefined. */
  digestOf(file: SiteFile): string | undefined
  /** Whether a blob of this digest was part of what was last deployed to `destination`. */
  wasSent(destination: string, sha256: string): boolean
  /** Remembers what was just deployed; a failure to do so is no failure. */
  remember(destination: string, files: HashedFile[]): Promise<void>
}

/** By path: size, modifiedMs, changedMs, inode, sha256. */
type Entries = Record<string, [number, number, number, number, string]>
type Kept = { version: 1; readMs: number; destination: string; files: Entries }

/**
 * A file system's clock may stand still for that long, while the content changes once more. Some count whole seconds, or
 * two.
 */
const clockMs = 50
const coarseClockMs = 2_100

/** The memory of the directory `root`, kept in the user's cache directory. `nowMs` is when the look at it began. */
export async function recall(env: NodeJS.ProcessEnv, root: string, nowMs: number): Promise<Memory> {
  const path = memoryPath(env, root)
  const { destination, readMs, files } = await read(path)
  const digests = new Set(Object.values(files).map(([, , , , sha256]) => sha256))

  return {
    digestOf({ path, size, modifiedMs, changedMs, inode }) {
      const entry = Object.hasOwn(files, path) ? files[path] : undefined
      if (!entry || isTooNew(readMs, modifiedMs) || isTooNew(readMs, changedMs)) return undefined
      const [oldSize, oldModifiedMs, oldChangedMs, oldInode, sha256] = entry
      const same = size === oldSize && modifiedMs === oldModifiedMs && changedMs === oldChangedMs
      return same && inode === oldInode ? sha256 : undefined
    },
    wasSent: (to, sha256) => to === destination && digests.has(sha256),
    remember: (to, hashed) =>
      write(path, { version: 1, readMs: nowMs, destination: to, files: toEntries(hashed) }),
  }
}

/** Whether a file might have changed after it was read without its time telling so. */
function isTooNew(readMs: number, timeMs: number): boolean {
  return timeMs > readMs - (Number.isInteger(timeMs / 1000) ? coarseClockMs : clockMs)
}

function memoryPath(env: NodeJS.ProcessEnv, root: string): string {
  const given = [env.XDG_CACHE_HOME, process.platform === 'win32' ? env.LOCALAPPDATA : undefined]
  const directory = given.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.cache')
  const name = createHash('sha256').update(root).digest('hex').slice(0, 32)
  return join(directory, 'svc', 'deployed', `${name}.json`)
}

const nothing: Kept = { version: 1, readMs: 0, destination: '', files: {} }

async function read(path: string): Promise<Kept> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isKept(kept) ? kept : nothing
  } catch {
    // Not there, or not whole: then everything is read once more.
    return nothing
  }
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || !isRecord(value.files)) return false
  if (value.version !== 1 || typeof value.readMs !== 'number' || typeof value.destination !== 'string')
    return false
  return Object.values(value.files).every(isEntry)
}

function isEntry(value: unknown): boolean {
  return Array.isArray(value) && value.length === 5 && /^[0-9a-f]{64}$/.test(String(value[4]))
}

async function write(path: string, kept: Kept): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(temporary, JSON.stringify(kept), { mode: 0o600 })
    await rename(temporary, path)
  } catch {
    await rm(temporary, { force: true }).catch(() => {})
  }
}

function toEntries(files: HashedFile[]): Entries {
  return Object.fromEntries(
    files.map(({ path, size, modifiedMs, changedMs, inode, sha256 }) => [
      path,
      [size, modifiedMs, changedMs, inode, sha256],
    ]),
  )
}
