/** Symbolic links among the names of an archive, followed without a file system. */

/** As many as Linux follows for one path. */
const maxLinks = 40

/** As long as the path of a file may be: what a stranger makes longer takes no time. */
const maxCharacters = 1_024

/**
 * A function that tells where a path leads among names whose `links` have their targets, as path resolution
 * finds it (POSIX.1-2024, section 4.16); undefined where that is outside, too long, or no end is found. Each
 * link is followed once, however many lead over it.
 */
export function createFollow(links: ReadonlyMap<string, string>): (path: string) => string | undefined {
  const ends = new Map<string, string | undefined>()

  function walk(start: string, path: string, depth: number): string | undefined {
    if (path.startsWith('/') || path.length > maxCharacters) return undefined
    let at: string | undefined = start
    for (const segment of path.split('/')) {
      if (segment === '' || segment === '.') continue
      if (segment !== '..') at = endOf(at === '' ? segment : `${at}/${segment}`, depth)
      else at = at === '' ? undefined : parentOf(at)
      if (at === undefined || at.length > maxCharacters) return undefined
    }
    return at
  }

  function endOf(path: string, depth: number): string | undefined {
    const target = links.get(path)
    if (target === undefined) return path
    if (ends.has(path)) return ends.get(path)
    // A path has no end while it is followed: a link that leads over itself leads nowhere.
    ends.set(path, undefined)
    const end = depth === maxLinks ? undefined : walk(parentOf(path), target, depth + 1)
    ends.set(path, end)
    return end
  }

  return (path) => walk('', path, 0)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
