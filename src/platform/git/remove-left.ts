/** Removes what processes that died left among the repositories of a node. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeLeftHolds } from './holds.ts'
import { isOwnerRunning, neededByNobody } from './owned-names.ts'
import { listIncoming, listRepositories } from './repositories.ts'
import { hasDeadWriter, removePutAside } from './writers.ts'

/** At the start of a node, when nobody works below `root` yet. */
export async function removeAllLeft(root: string): Promise<void> {
  for (const name of await listIncoming(root)) await rm(join(root, name), { recursive: true, force: true })
  for (const { directory } of await listRepositories(root)) {
    await removeLeftHolds(directory, neededByNobody)
    await removePutAside(directory, neededByNobody)
  }
}

/** While a node runs, of whose processes one may have died: repositories that are nobody's. */
export async function removeDeadIncoming(root: string): Promise<void> {
  for (const name of await listIncoming(root))
    if (!(await isOwnerRunning(name))) await rm(join(root, name), { recursive: true, force: true })
}

/** Likewise what it left in the repository in `directory`. */
export async function removeLeftOfDead(directory: string): Promise<void> {
  if (await hasDeadWriter(directory)) await removePutAside(directory, isOwnerRunning)
}
