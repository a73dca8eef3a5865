/** Paths in a workspace where a build may have put links: none of them leads out. */
import { chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The directory at `path` below `root`; undefined unless each step to it is a directory, and no link. */
export async function findDirectory(root: string, path: string): Promise<string | undefined> {
  let at = root
  for (const step of ['.', ...path.split('/')]) {
    at = join(at, step)
    if ((await kindOf(at)) !== 'directory') return undefined
  }
  return at
}

/**
 * The path of something new at `path` below `root`, whose directories are created for `owner`; undefined if
 * something has the path, or if a file or link is in its way.
 */
export async function makeWay(
  root: string,
  path: string,
  owner: number | undefined,
): Promise<string | undefined> {
  const steps = path.split('/')
  const name = steps.pop() ?? ''
  let at = root
  for (const step of ['.', ...steps]) {
    at = join(at, step)
    const kind = await kindOf(at)
    if (kind === 'other') return undefined
    if (kind === 'directory') continue
    await mkdir(at)
    if (owner !== undefined) await chown(at, owner, owner)
  }
  const target = join(at, name)
  return (await kindOf(target)) === undefined ? target : undefined
}

async function kindOf(path: string): Promise<'directory' | 'other' | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found && (found.isDirectory() ? 'directory' : 'other')
}
