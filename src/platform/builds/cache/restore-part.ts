/** Puts cached directories into a workspace. */
import { removeTree } from '../../sandbox/remove-tree.ts'
import { cachedPaths, type Part } from './cached-paths.ts'
import type { Line } from './lines.ts'
import type { HeldCache } from './store.ts'
import { copyTree, giveTree } from './trees.ts'
import { findDirectory, makeWay } from './ways.ts'
import { attempt, type CacheWork, pathInTree, placeIn, slotOf } from './work.ts'

/** The line whose cache was restored, and the size of that. */
export type Restored = { line: Line; bytes: number }

/**
 * Copies a part of the first line that has it with this key; undefined if none has. What is in the workspace
 * already stays.
 * @throws the reason of the signal when that aborts.
 */
export async function restorePart(
  work: CacheWork,
  part: Part,
  key: string,
  signal: AbortSignal,
): Promise<Restored | undefined> {
  for (const line of work.lines.reads) {
    const bytes = await attempt(work, 'restored', signal, () =>
      restoreLine(work, { line, part, key }, signal),
    )
    if (bytes !== undefined) return { line, bytes }
  }
  return undefined
}

async function restoreLine(
  work: CacheWork,
  { line, part, key }: { line: Line; part: Part; key: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  const held = await work.store.hold(slotOf(work, line, part), work.nowMs())
  if (!held) return undefined
  try {
    if (held.key !== key) return undefined
    return (await copyPart(work, part, held, signal)) ? held.bytes : undefined
  } finally {
    await held.release()
  }
}

/** Whether anything was copied. */
async function copyPart(
  work: CacheWork,
  part: Part,
  { tree }: HeldCache,
  signal: AbortSignal,
): Promise<boolean> {
  const { owner } = work.workspace
  let isAny = false
  for (const cached of cachedPaths[part]) {
    const from = await findDirectory(tree, pathInTree(cached))
    if (from === undefined) continue
    const { root, path } = placeIn(work, cached)
    const target = await makeWay(root, path, owner)
    if (target === undefined) continue
    await copyWhole(from, { target, owner }, signal)
    isAny = true
  }
  return isAny
}

async function copyWhole(
  from: string,
  { target, owner }: { target: string; owner: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  try {
    await copyTree(from, target, signal)
    if (owner !== undefined) await giveTree(target, owner, signal)
  } catch (error) {
    // A build must not see half of it.
    await removeTree(target)
    throw error
  }
}
