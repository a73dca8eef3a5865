/** How much the repositories of a node may hold, which are a cache. */
import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesBelow } from './bytes-below.ts'
import { namesIn } from './names-in.ts'
import { type IsNeeded, isOwnerRunning, newOwnedName } from './owned-names.ts'
import { listIncoming, listRepositories } from './repositories.ts'
import { runGit } from './run-git.ts'
import { isBeingWritten, whileWriting } from './writers.ts'

/** In bytes. */
type Bounds = { repository: number; team: number; node: number }

const usual: Bounds = { repository: 1024 ** 3, team: 2 * 1024 ** 3, node: 10 * 1024 ** 3 }

/** With more packs every look at an object takes longer. */
const maxPacks = 50

/** Its name begins that of a file in a repository for each push that is under way. */
const mark = 'svc-push-'

/** A mark of longer ago is one of a process that died. */
const markMs = 2 * 60 * 60_000

/** Keeps a repository from being thrown away, wherever it is moved; resolves to the name of the hold. */
export async function holdRepository(directory: string): Promise<string> {
  const hold = newOwnedName(mark)
  await writeFile(join(directory, hold), '')
  return hold
}

/** Ends a hold. */
export function releaseRepository(directory: string, hold: string): Promise<void> {
  return rm(join(directory, hold), { force: true })
}

/**
 * Notes the use of a repository, and puts its packs together where they are many, in turn. Objects that no
 * ref leads to stay: a push may wait for its build, and moves its ref only then.
 */
export async function tidyRepository(
  directory: string,
  nowMs: number,
  inTurn: (repack: () => Promise<unknown>) => Promise<unknown> = (repack) => repack(),
): Promise<void> {
  const now = new Date(nowMs)
  await utimes(directory, now, now)
  if ((await packsOf(directory)).length <= maxPacks) return
  const repack = ['repack', '-a', '-d', '-k', '--quiet']
  await inTurn(() => whileWriting(directory, () => runGit(directory, repack, '', { isLong: true })))
}

/**
 * Throws away repositories beyond the bounds, the least recently used first, and none that is held; and the
 * holds of processes that died. What is on its way counts for the node.
 */
export async function keepWithinBounds(root: string, nowMs: number, most = usual): Promise<void> {
  const found = await Promise.all((await listRepositories(root)).map((each) => measure(each, nowMs)))
  const incoming = await Promise.all((await listIncoming(root)).map((name) => bytesBelow(join(root, name))))
  const bytes = new Map<string, number>()
  let total = incoming.reduce((sum, each) => sum + each, 0)
  for (const each of found.sort((a, b) => b.usedMs - a.usedMs)) {
    const ofTeam = (bytes.get(each.team) ?? 0) + each.bytes
    const isTooMuch = each.bytes > most.repository || ofTeam > most.team || total + each.bytes > most.node
    if (isTooMuch && !each.isHeld) await rm(each.directory, { recursive: true, force: true })
    else {
      bytes.set(each.team, ofTeam)
      total += each.bytes
    }
  }
}

async function measure({ directory, team }: { directory: string; team: string }, nowMs: number) {
  const isPushedTo = await removeLeftHolds(directory, async (name) => {
    const sinceMs = await changedMs(join(directory, name))
    return nowMs - sinceMs < markMs && (await isOwnerRunning(name))
  })
  return {
    directory,
    team,
    usedMs: await changedMs(directory),
    bytes: await bytesBelow(directory),
    isHeld: isPushedTo || (await isBeingWritten(directory)),
  }
}

/** Removes holds that nobody needs; resolves to whether there are others. */
export async function removeLeftHolds(directory: string, isNeeded: IsNeeded): Promise<boolean> {
  const holds = (await namesIn(directory)).filter((name) => name.startsWith(mark))
  const needed = await Promise.all(holds.map(isNeeded))
  const left = holds.filter((_, at) => !needed[at])
  await Promise.all(left.map((name) => releaseRepository(directory, name)))
  return left.length < holds.length
}

async function packsOf(directory: string): Promise<string[]> {
  const names = await namesIn(join(directory, 'objects', 'pack'))
  return names.filter((name) => name.endsWith('.pack'))
}

function changedMs(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
