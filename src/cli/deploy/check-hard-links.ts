/** Finds files of a site that have another name among what isn't deployed: hard links. */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { failed } from '../command-failure.ts'
import { ignoreFile } from './ignore-rules.ts'
import { leftOutAround } from './left-out-around.ts'

/** A file that has more than one name. */
export type ManyNamed = { path: string; stat: Stats }

/**
 * Looks for other names of `files` among what was left out of the site in `top` and in the project around,
 * which takes a while where there is much.
 * @throws Failure for a file of which another name was left out, and for one of which too many would have to
 * be searched for.
 */
export async function checkHardLinks(
  top: string,
  files: ManyNamed[],
  leftOut: string[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = namedElsewhere(files)
  const [anyPath] = wanted.values()
  if (anyPath === undefined) return
  const around = await leftOutAround(top, signal)
  for (const paths = [...leftOut, ...around.paths]; paths.length > 0; ) {
    const path = paths.pop() ?? ''
    const stat = lstatSync(join(top, path), { throwIfNoEntry: false })
    if (stat?.isDirectory()) {
      await turn()
      signal.throwIfAborted()
      for (const name of namesIn(join(top, path))) paths.push(`${path}/${name}`)
    }
    const alias = stat?.isFile() ? wanted.get(identityOf(stat)) : undefined
    if (alias !== undefined)
      throw failed(`${alias} is the same file as ${path}, which is not deployed. ${remedy}`)
  }
  if (around.isAll) return
  throw failed(
    `${anyPath} has a name that is not deployed (a hard link), ` +
      `and ${around.project} has too many files to find it. ${remedy}`,
  )
}

const remedy = `Replace it with a copy, or add it to ${ignoreFile}.`

/** The path of each file by what it is, without those of which every name is deployed. */
function namedElsewhere(files: ManyNamed[]): Map<string, string> {
  const names = new Map<string, number>()
  for (const { stat } of files) names.set(identityOf(stat), (names.get(identityOf(stat)) ?? 0) + 1)
  const others = files.filter(({ stat }) => stat.nlink > (names.get(identityOf(stat)) ?? 0))
  return new Map(others.map(({ path, stat }) => [identityOf(stat), path]))
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // A directory that is left out may be closed to this user.
    return []
  }
}

/**
 * Numbers of files can be larger than what a number holds; those that are rounded to the same one differ in
 * the rest.
 */
function identityOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs}`
}
