/** One process at a time has the data directory, and one that died doesn't keep it. */
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, ownIdentity, type ProcessIdentity, parseIdentity } from './process-identity.ts'
import { hasCode, readIfAny } from './read-if-any.ts'

const lockName = 'lock'
const draftPrefix = 'lock.draft-'
const takeoverPrefix = 'lock.takeover-'

const pollMs = 100

/** How long the removal of a stale lock may take with others at it too, on top of the wait for a live holder. */
const takeoverMs = 1000

export type DataDirectoryLock = {
  /** Gives the directory back; does nothing when that has happened already. */
  release(): Promise<void>
}

/** Another process has the data directory. */
export class DataDirectoryInUseError extends Error {
  readonly pid: number

  constructor(directory: string, pid: number) {
    super(
      `The data directory ${directory} is in use by process ${pid}: stop that one, or set another SVC_DATA_DIR.`,
    )
    this.name = 'DataDirectoryInUseError'
    this.pid = pid
  }
}

/**
 * Takes the data directory for this process, making it (mode 0700) if there is none. A lock whose process is gone is
 * taken over; a live one is waited for, up to `waitMs`.
 * @throws DataDirectoryInUseError when another process, or another part of this one, still has it then.
 */
export async function lockDataDirectory(
  directory: string,
  { waitMs = 5000 }: { waitMs?: number } = {},
): Promise<DataDirectoryLock> {
  const deadlineMs = performance.now() + waitMs
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = join(directory, lockName)
  const draft = join(directory, draftPrefix + randomUUID())
  // The id tells two locks of one process apart.
  const text = `${JSON.stringify({ ...(await ownIdentity()), id: randomUUID() })}\n`
  let meetings = 0
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    while (!(await linkIfFree(draft, lock))) {
      const holder = await readRunning(lock)
      const rival = holder ?? (await removeStaleLock(directory, draft))
      if (rival === undefined) continue
      const leftMs = deadlineMs + (holder ? 0 : takeoverMs) - performance.now()
      if (leftMs <= 0) throw new DataDirectoryInUseError(directory, rival.pid)
      // Rivals for a stale lock come back at ever more different moments, or they would keep meeting.
      await sleep(Math.min(leftMs, holder ? pollMs : Math.random() * 20 * ++meetings))
    }
  } finally {
    await rm(draft, { force: true })
  }
  return {
    async release() {
      if ((await readIfAny(lock)) === text) await rm(lock, { force: true })
    },
  }
}

/** Whether a live process, be it this one, has the data directory; false when there is no such directory. */
export async function isLocked(directory: string): Promise<boolean> {
  return (await readRunning(join(directory, lockName))) !== undefined
}

/**
 * Removes a lock whose process is gone, or returns another process that is about to do the same.
 *
 * Looking at the lock and removing it are two steps, and in between it could become a live one if somebody else removed
 * it first. So whoever removes it has to be alone: each shows a file of its own, then looks for those of others, and
 * steps back when it sees one. Of two, at least the later one sees the other. No name is used twice, so what a dead
 * process left can be removed by anyone.
 */
async function removeStaleLock(directory: string, draft: string): Promise<ProcessIdentity | undefined> {
  const own = takeoverPrefix + randomUUID()
  await link(draft, join(directory, own))
  try {
    for (const name of await readdir(directory)) {
      const rival = name === own ? undefined : await findRival(directory, name)
      if (rival) return rival
    }
    const lock = join(directory, lockName)
    const text = await readIfAny(lock)
    // If it is gone already, whatever is there by now is live.
    if (text !== undefined && !(await running(text))) await rm(lock, { force: true })
    return undefined
  } finally {
    await rm(join(directory, own), { force: true })
  }
}

/** The live process behind a takeover file. Removes the file, also a draft, when its process is gone. */
async function findRival(directory: string, name: string): Promise<ProcessIdentity | undefined> {
  if (!name.startsWith(takeoverPrefix) && !name.startsWith(draftPrefix)) return undefined
  const path = join(directory, name)
  const owner = parseIdentity((await readIfAny(path)) ?? '')
  // Only a draft can be half-written by a live process: a takeover file is linked when its content is complete.
  if (owner === undefined) return undefined
  if (await isRunning(owner)) return name.startsWith(takeoverPrefix) ? owner : undefined
  await rm(path, { force: true })
  return undefined
}

async function readRunning(path: string): Promise<ProcessIdentity | undefined> {
  return running((await readIfAny(path)) ?? '')
}

/** The live process that `text` names. What names none was not written by a process that locks: it counts as gone. */
async function running(text: string): Promise<ProcessIdentity | undefined> {
  const identity = parseIdentity(text)
  return identity && (await isRunning(identity)) ? identity : undefined
}

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
