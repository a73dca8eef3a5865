/** An exclusive lock on the data directory, which a dead process doesn't keep. */
import { randomUUID } from 'node:crypto'
import { link, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../lib/has-code.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { isHolderListening, listenAsHolder } from './lock-socket.ts'
import { isRunning, ownIdentity, type ProcessIdentity, parseIdentity } from './process-identity.ts'
import { readIfAny } from './read-if-any.ts'

const lockName = 'lock'
const draftPrefix = 'lock.draft-'
const takeoverPrefix = 'lock.takeover-'

const pollMs = 100

/** How long a process that can't be seen may take until it listens, after it has taken the directory. */
const youngMs = 2000

/** How long removing a stale lock may take against rivals, on top of the wait for a live holder. */
const takeoverMs = 1000

export type DataDirectoryLock = {
  /** Releases the directory; does nothing if that has happened already. */
  release(): Promise<void>
}

/** Another process holds the data directory. */
export class DataDirectoryInUseError extends Error {
  readonly pid: number

  constructor(directory: string, pid: number) {
    super(
      `The data directory ${directory} is in use by process ${pid}: ` +
        'stop that one, or set another SVC_DATA_DIR.',
    )
    this.name = 'DataDirectoryInUseError'
    this.pid = pid
  }
}

/**
 * Locks the data directory for this process, creating it (mode 0700) if there is none. A stale lock is taken
 * over; a live one is waited for, up to `waitMs`.
 * @throws DataDirectoryInUseError when another process, or another part of this one, still holds it then.
 */
export async function lockDataDirectory(
  directory: string,
  { waitMs = 5000 }: { waitMs?: number } = {},
): Promise<DataDirectoryLock> {
  const deadlineMs = performance.now() + waitMs
  await makeDirectory(directory)
  const lock = join(directory, lockName)
  const draft = join(directory, draftPrefix + randomUUID())
  // The id distinguishes two locks of one process.
  let stopListening: () => Promise<void>
  const text = `${JSON.stringify({ ...(await ownIdentity()), id: randomUUID() })}\n`
  let meetings = 0
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    while (!(await linkIfFree(draft, lock))) {
      const holder = await readRunning(directory)
      const rival = holder ?? (await removeStaleLock(directory, draft))
      if (rival === undefined) continue
      const leftMs = deadlineMs + (holder ? 0 : takeoverMs) - performance.now()
      if (leftMs <= 0) throw new DataDirectoryInUseError(directory, rival.pid)
      // Increasingly random waits, or rivals for a stale lock would keep colliding.
      await sleep(Math.min(leftMs, holder ? pollMs : Math.random() * 20 * ++meetings))
    }
    stopListening = await listenAsHolder(directory).catch(async (error: unknown) => {
      await rm(lock, { force: true })
      throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return {
    async release() {
      await stopListening()
      if ((await readIfAny(lock)) === text) await rm(lock, { force: true })
    },
  }
}

/** Whether a live process, even this one, holds the data directory; false if there is no such directory. */
export async function isLocked(directory: string): Promise<boolean> {
  return (await readRunning(directory)) !== undefined
}

/**
 * Removes a stale lock, or returns another process that is about to do so.
 *
 * Reading the lock and removing it are two steps, and in between it could become a live one if somebody else
 * removed it first. So the remover has to be alone: each creates a file of its own, then looks for others,
 * and backs off when it sees one. Of two, at least the later one sees the other. Names are unique, so anyone
 * can remove a dead process's file.
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
    if (text !== undefined && !(await running(directory, text))) await rm(lock, { force: true })
    return undefined
  } finally {
    await rm(join(directory, own), { force: true })
  }
}

/** The live process of a takeover file. Removes the file, or a draft, if its process is gone. */
async function findRival(directory: string, name: string): Promise<ProcessIdentity | undefined> {
  if (!name.startsWith(takeoverPrefix) && !name.startsWith(draftPrefix)) return undefined
  const path = join(directory, name)
  const owner = parseIdentity((await readIfAny(path)) ?? '')
  // Only a draft can be incomplete: a takeover file is linked when its content is complete.
  if (owner === undefined) return undefined
  if ((await isRunning(owner)) ?? (await isYoung(path)))
    return name.startsWith(takeoverPrefix) ? owner : undefined
  await rm(path, { force: true })
  return undefined
}

async function readRunning(directory: string): Promise<ProcessIdentity | undefined> {
  return running(directory, (await readIfAny(join(directory, lockName))) ?? '')
}

/** The live process in `text`. Unparsable text was not written by a process that locks: it counts as gone. */
async function running(directory: string, text: string): Promise<ProcessIdentity | undefined> {
  const identity = parseIdentity(text)
  if (identity === undefined) return undefined
  return ((await isRunning(identity)) ?? (await isHeld(directory))) ? identity : undefined
}

/** Whether a process that can't be seen holds the directory. */
async function isHeld(directory: string): Promise<boolean> {
  return (await isHolderListening(directory)) || (await isYoung(join(directory, lockName)))
}

/** Since it got its name, which changes the time of the inode. */
async function isYoung(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Math.abs(Date.now() - found.ctimeMs) < youngMs
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
