/**
 * The uids of sandboxes: each workspace has its own, since process limits are per user. The first process of
 * a node hands them out for all; those of other nodes of the machine are seen by their processes.
 */
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The range of systemd's dynamic users. */
const range = { first: 61_184, count: 4_336 }

/** The uids of a node. */
export type Uids = {
  /** A uid that no other workspace and no process has. @throws Error when none is left. */
  take(): Promise<number>
  /** Leaves a uid to another workspace: no process of it is left. */
  giveBack(uid: number): void
}

/** The requests of a process; the methods are those of `Uids`. */
export type UidsService = {
  takeUid(): Promise<number>
  giveUidBack(uid: number): void
}

/** Keeps the uids of all workspaces; `findUsers` resolves to those of the machine's processes. */
export function createUids(findUsers: () => Promise<ReadonlySet<number>> = usersOfProcesses): Uids {
  const taken = new Set<number>()
  return {
    async take() {
      const users = await findUsers()
      // From a random one on, so that two nodes that look at the same time hardly find the same.
      const first = Math.floor(Math.random() * range.count)
      for (let next = 0; next < range.count; next += 1) {
        const uid = range.first + ((first + next) % range.count)
        if (taken.has(uid) || users.has(uid)) continue
        taken.add(uid)
        return uid
      }
      throw new Error('No uid is left for another workspace.')
    },
    giveBack: (uid) => void taken.delete(uid),
  }
}

/** Serves the uids to one process. `release` takes back what that one had, once it has ended. */
export function serveUids(uids: Uids): UidsService & { release(): void } {
  const held = new Set<number>()
  let isReleased = false
  return {
    async takeUid() {
      if (isReleased) throw new Error('The process has ended.')
      const uid = await uids.take()
      held.add(uid)
      return uid
    },
    giveUidBack(uid) {
      if (held.delete(uid)) uids.giveBack(uid)
    },
    release() {
      isReleased = true
      for (const uid of held) uids.giveBack(uid)
      held.clear()
    },
  }
}

/** The uids that another process keeps. */
export function remoteUids({ takeUid, giveUidBack }: UidsService): Uids {
  return { take: takeUid, giveBack: giveUidBack }
}

/** So many processes are looked at before others have their turn: it takes less than a millisecond. */
const processesAtOnce = 100

/** The users of all processes that this one sees. */
async function usersOfProcesses(): Promise<Set<number>> {
  const names = await readdir('/proc').catch(() => [])
  const users = new Set<number>()
  for (const [index, pid] of names.filter((name) => /^\d+$/.test(name)).entries()) {
    if (index % processesAtOnce === processesAtOnce - 1) await nextTurn()
    // Not by promises, which take ten times as long. One that has ended meanwhile has no user.
    const process = statSync(`/proc/${pid}`, { throwIfNoEntry: false })
    if (process) users.add(process.uid)
  }
  return users
}
