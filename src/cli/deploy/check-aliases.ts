/** Finds files of a site that are others under another name: by a symbolic link, or by a hard one. */
import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { hasCode } from '../../data-dir/read-if-any.ts'
import { isNeverDeployed } from '../../deployments/never-deployed.ts'
import { failed } from '../failure.ts'
import { projectFileName } from '../project-file/project-file.ts'
import { isBelow } from './is-below.ts'
import { ignoreFile } from './site-rules.ts'

/**
 * The file of `deployed` that the link at `path` leads to, as which it is deployed.
 * @throws Failure for a link to anything else: it may be a private file.
 */
export function linkedFile<T>(top: string, path: string, deployed: Map<string, T>): T {
  const target = targetOf(top, path)
  const file = target === undefined ? undefined : deployed.get(target)
  if (file !== undefined) return file
  const remedy = `Replace it with a copy, or add it to ${ignoreFile}.`
  if (target === undefined || !lstatSync(join(top, target)).isFile()) {
    throw failed(`${path} is a link, but not to a file of the site. ${remedy}`)
  }
  throw failed(`${path} is a link to ${target}, which is not deployed. ${remedy}`)
}

/** Where the link leads, relative to the site's directory; undefined where that is outside, or nothing. */
function targetOf(top: string, path: string): string | undefined {
  try {
    // In the spelling that the directory has.
    const target = relative(top, realpathSync.native(join(top, path)))
    return isBelow(target) ? target.split(sep).join('/') : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}

/** How far above a site the folder of its project may be. */
const maxFoldersAbove = 8

/** A file that has more than one name. */
export type ManyNamed = { path: string; stat: Stats }

/**
 * Looks for other names of `files` among what was left out here and in the project around, which takes a while where there is much.
 * @throws Failure for a file of which another name was left out.
 */
export async function checkHardLinks(
  top: string,
  files: ManyNamed[],
  leftOut: string[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Map(files.map((file) => [identityOf(file.stat), file.path]))
  const paths = files.length === 0 ? [] : [...leftOut, ...leftOutAbove(top)]
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const stat = lstatSync(join(top, path), { throwIfNoEntry: false })
    if (stat?.isDirectory()) {
      await turn()
      signal.throwIfAborted()
      for (const name of namesIn(join(top, path))) paths.push(`${path}/${name}`)
    }
    const alias = stat?.isFile() ? wanted.get(identityOf(stat)) : undefined
    if (alias === undefined) continue
    throw failed(
      `${alias} is the same file as ${path}, which is not deployed. Replace it with a copy, or add it to ${ignoreFile}.`,
    )
  }
}

/**
 * What is never deployed of the project around the site: in the folders above, up to the one with `svc.json` or `.git`. Without
 * dependencies, which are much, no secret, and linked by some tools.
 */
function leftOutAbove(top: string): string[] {
  const found: string[] = []
  for (let up = '..', count = 0; count < maxFoldersAbove; up = join('..', up), count += 1) {
    const names = namesIn(join(top, up))
    const secret = names.filter((name) => isNeverDeployed(name) && name !== 'node_modules')
    found.push(...secret.map((name) => join(up, name)))
    if (names.includes(projectFileName) || names.includes('.git')) return found
  }
  return []
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // What is left out may be closed to this user.
    return []
  }
}

/** Numbers of files can be larger than what a number holds; those that are rounded to the same one differ in the rest. */
function identityOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs}`
}
