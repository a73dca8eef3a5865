/**
 * The uids of sandboxes: each workspace has its own, since process limits are per user. The first process of
 * a node hands them out for all.
 */

/** The range of systemd's dynamic users. */
const range = { first: 61_184, count: 4_336 }

/** The uids of a node. */
export type Uids = {
  /** A uid that no other workspace of the node has. @throws Error when none is left. */
  take(): number | Promise<number>
  /** Leaves a uid to another workspace: no process of it is left. */
  giveBack(uid: number): void
}

/** The requests of a process; the methods are those of `Uids`. */
export type UidsService = {
  takeUid(): number | Promise<number>
  giveUidBack(uid: number): void
}

/** Keeps the uids of all workspaces. */
export function createUids(): Uids {
  const taken = new Set<number>()
  return {
    take() {
      if (taken.size >= range.count) throw new Error('No uid is left for another workspace.')
      for (;;) {
        const uid = range.first + Math.floor(Math.random() * range.count)
        if (taken.has(uid)) continue
        taken.add(uid)
        return uid
      }
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
