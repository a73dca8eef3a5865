/** How much the repositories of a node may hold, which are a cache. */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { bytesBelow } from './bytes-below.ts'
import { removeDeadHolds } from './holds.ts'
import { removeDeadIncoming, removeLeftOfDead } from './remove-left.ts'
import { listIncoming, listRepositories, type ProjectRepository } from './repositories.ts'
import { isBeingWritten } from './writers.ts'

/** In bytes. */
type Bounds = { repository: number; team: number; node: number }

const usual: Bounds = { repository: 1024 ** 3, team: 2 * 1024 ** 3, node: 10 * 1024 ** 3 }

export type RepositoryBounds = {
  /** Keeps the bounds after a push: measures its repository, and the others only where it exceeds one. */
  afterPush(repository: ProjectRepository, nowMs: number): Promise<void>
  /**
   * Throws away repositories beyond the bounds, the least recently used first, and none that is held; and
   * what processes left that died. What is on its way counts for the node. Other processes may have taken
   * pushes, so that one of a node does this regularly.
   */
  keepAll(nowMs: number): Promise<void>
}

/** The facts that are known of a repository. */
type Known = {
  team: string
  bytes: number
  usedMs: number
  isHeld: boolean
  /** When its directory had changed; undefined where a later change may bear the same time. */
  changedMs: number | undefined
}

/** A file system counts time in steps of a few milliseconds. */
const settledMs = 1_000

/** Requests read from the same disk. */
const looksAtATime = 2

/** The bounds of the repositories below `root`, of which each is measured once, and when it has changed. */
export function createRepositoryBounds(root: string, most = usual): RepositoryBounds {
  const known = new Map<string, Known>()
  const inTurn = pLimit(1)
  let isComplete = false

  async function look(repository: ProjectRepository, nowMs: number): Promise<void> {
    const { directory } = repository
    const changedMs = (await statOf(directory))?.ctimeMs
    const before = known.get(directory)?.changedMs
    // Whoever writes anywhere below it puts a mark there, and removes it in the end.
    if (changedMs === undefined || before !== changedMs) await measure(repository, nowMs)
  }

  async function measure({ directory, team }: ProjectRepository, nowMs: number): Promise<void> {
    const isPushedTo = await removeDeadHolds(directory, nowMs)
    await removeLeftOfDead(directory)
    const isHeld = isPushedTo || (await isBeingWritten(directory))
    const found = await statOf(directory)
    if (!found) {
      known.delete(directory)
      return
    }
    const isSettled = !isHeld && nowMs - found.ctimeMs >= settledMs
    const changedMs = isSettled ? found.ctimeMs : undefined
    known.set(directory, {
      team,
      bytes: await bytesBelow(directory),
      usedMs: found.mtimeMs,
      isHeld,
      changedMs,
    })
  }

  async function keepAll(nowMs: number): Promise<void> {
    await removeDeadIncoming(root)
    const repositories = await listRepositories(root)
    await inParallel(repositories, looksAtATime, (each) => look(each, nowMs))
    const present = new Set(repositories.map(({ directory }) => directory))
    for (const directory of known.keys()) if (!present.has(directory)) known.delete(directory)
    isComplete = true
    let incoming = 0
    for (const name of await listIncoming(root)) incoming += await bytesBelow(join(root, name))
    for (const directory of excess(known, incoming, most)) {
      await rm(directory, { recursive: true, force: true })
      known.delete(directory)
    }
  }

  return {
    keepAll: (nowMs) => inTurn(() => keepAll(nowMs)),
    afterPush: (repository, nowMs) =>
      inTurn(async () => {
        if (isComplete) await measure(repository, nowMs)
        if (!isComplete || excess(known, 0, most).length > 0) await keepAll(nowMs)
      }),
  }
}

/** The repositories to throw away; of the node, so many bytes are on their way. */
function excess(known: ReadonlyMap<string, Known>, incoming: number, most: Bounds): string[] {
  const ofTeams = new Map<string, number>()
  const found: string[] = []
  let total = incoming
  for (const [directory, each] of [...known].sort(([, a], [, b]) => b.usedMs - a.usedMs)) {
    const ofTeam = (ofTeams.get(each.team) ?? 0) + each.bytes
    const isTooMuch = each.bytes > most.repository || ofTeam > most.team || total + each.bytes > most.node
    if (isTooMuch && !each.isHeld) found.push(directory)
    else {
      ofTeams.set(each.team, ofTeam)
      total += each.bytes
    }
  }
  return found
}

function statOf(directory: string) {
  return stat(directory).catch(() => undefined)
}
