/** Finds the directories that a build made a site in. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstPage } from './signs.ts'

/** By the path of a directory, relative to the root and empty for that: when its first page was written. */
export type FirstPages = ReadonlyMap<string, number>

/** Bounds of a search: levels of directories, and entries in all of them. */
const [maxDepth, maxEntries] = [5, 20_000]

const passedOver = new Set(['node_modules', '.git', '.svc'])

/** The first pages below `root`, but not those below another one; links are not followed. */
export async function findFirstPages(root: string): Promise<FirstPages> {
  const pages = new Map<string, number>()
  let entries = 0
  let level = ['']
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next: string[] = []
    for (const directory of level) {
      const page = await lstat(join(root, directory, firstPage)).catch(() => undefined)
      if (page?.isFile()) pages.set(directory, page.mtimeMs)
      if (page && directory !== '') continue
      const opened = await opendir(join(root, directory)).catch(() => undefined)
      if (!opened) continue
      for await (const entry of opened) {
        entries += 1
        if (entries > maxEntries) return pages
        if (!entry.isDirectory() || passedOver.has(entry.name)) continue
        next.push(directory === '' ? entry.name : `${directory}/${entry.name}`)
      }
    }
    level = next
  }
  return pages
}

/** The directories, but for the root, whose first page was written since `before`: the topmost first. */
export function madeSince(before: FirstPages, now: FirstPages): string[] {
  return [...now].flatMap(([directory, ms]) =>
    directory === '' || before.get(directory) === ms ? [] : [directory],
  )
}
