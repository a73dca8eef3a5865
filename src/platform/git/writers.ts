/**
 * Whoever changes a repository puts a mark there meanwhile. What git had put aside is removed when the last
 * of them has ended: a program that is killed leaves it, and no other one may need it.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './names-in.ts'
import { type IsNeeded, isOwnerRunning, newOwnedName } from './owned-names.ts'
import { findPutAside, removeUnchanged } from './put-aside.ts'

const mark = 'svc-writer-'

/** Runs what changes the repository in `directory`, which may move or go meanwhile. */
export async function whileWriting<T>(directory: string, write: () => Promise<T>): Promise<T> {
  const end = await beginWriting(directory)
  return write().finally(end)
}

/** Notes that somebody changes the repository in `directory`, until the result is called. */
export async function beginWriting(directory: string): Promise<() => Promise<void>> {
  const own = join(directory, newOwnedName(mark))
  await writeFile(own, '')
  return async () => {
    await rm(own, { force: true })
    await removePutAside(directory, isOwnerRunning)
  }
}

/** Removes what writers left that are no longer needed, unless others change the repository. */
export async function removePutAside(directory: string, isNeeded: IsNeeded): Promise<void> {
  const found = await findPutAside(directory)
  // Looked at afterwards: what was found is of one of these, or of none any more.
  const writers = await writersIn(directory)
  const needed = await Promise.all(writers.map(isNeeded))
  if (needed.includes(true)) return
  await removeUnchanged(found)
  await Promise.all(writers.map((name) => rm(join(directory, name), { force: true })))
}

/** Whether somebody changes the repository. */
export async function isBeingWritten(directory: string): Promise<boolean> {
  return (await Promise.all((await writersIn(directory)).map(isOwnerRunning))).includes(true)
}

/** Whether a process died that changed the repository. */
export async function hasDeadWriter(directory: string): Promise<boolean> {
  return (await Promise.all((await writersIn(directory)).map(isOwnerRunning))).includes(false)
}

async function writersIn(directory: string): Promise<string[]> {
  return (await namesIn(directory)).filter((name) => name.startsWith(mark))
}
