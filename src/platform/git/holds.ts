/** Holds of pushes that are under way, which keep a repository from being thrown away. */
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './names-in.ts'
import { type IsNeeded, isOwnerRunning, newOwnedName } from './owned-names.ts'

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

/** Removes holds that nobody needs; resolves to whether there are others. */
export async function removeLeftHolds(directory: string, isNeeded: IsNeeded): Promise<boolean> {
  const holds = (await namesIn(directory)).filter((name) => name.startsWith(mark))
  const needed = await Promise.all(holds.map(isNeeded))
  const left = holds.filter((_, at) => !needed[at])
  await Promise.all(left.map((name) => releaseRepository(directory, name)))
  return left.length < holds.length
}

/** The same for those of processes that died, or that are older than any push. */
export function removeDeadHolds(directory: string, nowMs: number): Promise<boolean> {
  return removeLeftHolds(directory, async (name) => {
    const sinceMs = await changedMs(join(directory, name))
    return nowMs - sinceMs < markMs && (await isOwnerRunning(name))
  })
}

function changedMs(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
