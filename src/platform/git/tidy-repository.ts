/** Keeps a repository fast. */
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './names-in.ts'
import { runGit } from './run-git.ts'
import { whileWriting } from './writers.ts'

/** With more packs every look at an object takes longer. */
const maxPacks = 50

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

async function packsOf(directory: string): Promise<string[]> {
  const names = await namesIn(join(directory, 'objects', 'pack'))
  return names.filter((name) => name.endsWith('.pack'))
}
