/** Finds the files of a site in a directory. */
import { type Dirent, lstatSync, opendirSync, readdirSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { hasCode } from '../../lib/has-code.ts'
import { dataFiles } from '../../lib/names/never-deployed.ts'
import { toNfc } from '../../lib/names/nfc.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import { failed, usageFailure } from '../command-failure.ts'
import { checkHardLinks, type ManyNamed } from './check-hard-links.ts'
import { ignoreFile, readRules } from './ignore-rules.ts'
import { linkedFile } from './linked-file.ts'
import { changed, isOwnPath } from './open-found.ts'
import type { SiteFile } from './site-file.ts'

/** The findings of a walk. */
type Found = {
  files: Map<string, SiteFile>
  links: string[]
  manyNamed: ManyNamed[]
  leftOut: string[]
}

/**
 * The files to deploy from the directory `root`, by path, without those that `.svcignore` names; with the
 * packages of the output of a build in `complete`, a directory in it.
 * @throws Failure for what can't be deployed: a missing directory, one without files, a link to what isn't
 * deployed, a device, a name that isn't UTF-8.
 */
export async function walkSite(root: string, signal: AbortSignal, complete?: string): Promise<SiteFile[]> {
  const top = inSite(root, () => realpathSync.native(root))
  const rules = await readRules(top, complete)
  const found: Found = { files: new Map(), links: [], manyNamed: [], leftOut: [] }
  const directories = ['']
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    // Synchronous calls are several times faster than handing each to a thread; this await lets Ctrl-C
    // through.
    await turn()
    signal.throwIfAborted()
    const absolute = join(top, directory)
    const before = identityOf(root, absolute)
    const entries = inSite(root, () => readdirSync(absolute, { withFileTypes: true }))
    if (entries.some(({ name }) => dataFiles.includes(name))) {
      requireSite(root, directory)
      found.leftOut.push(directory)
      continue
    }
    const prefix = absolute.endsWith(sep) ? absolute : absolute + sep
    for (const entry of entries) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (rules.isLeftOut(path, entry.name, entry.isDirectory())) found.leftOut.push(path)
      else if (path.includes('\ufffd')) throw failed(`${path} has a name that is not UTF-8. Rename it.`)
      else if (entry.isDirectory()) directories.push(path)
      else look(prefix + entry.name, path, entry, found)
    }
    // The entries were in this directory if no other one took its place, or that of one above.
    if (identityOf(root, absolute) !== before || !isOwnPath(absolute)) throw changed(directory || root)
  }
  // Only now is it known what is deployed.
  for (const path of found.links) found.files.set(path, { ...linkedFile(top, path, found.files), path })
  await checkHardLinks(top, found.manyNamed, found.leftOut, signal)
  if (found.files.size === 0) throw failed(`No files to deploy in ${root}.`)
  return byPath(found.files)
}

/**
 * In the order and under the paths of the site: NFC, which macOS doesn't write. Sorting plain strings is
 * several times faster than a comparison function before that is compiled.
 * @throws Failure for two names that become one.
 */
function byPath(found: Map<string, SiteFile>): SiteFile[] {
  const files = new Map<string, SiteFile>()
  const spellings = new Map<string, string>()
  for (const [spelling, file] of found) {
    const path = toNfc(spelling)
    const other = spellings.get(path)
    if (other !== undefined)
      throw failed(
        `${spelledOut(other)} and ${spelledOut(spelling)} are the same name on a site. Rename one.`,
      )
    spellings.set(path, spelling)
    files.set(path, path === spelling ? file : { ...file, path })
  }
  return [...files.keys()].sort().flatMap((path) => files.get(path) ?? [])
}

/** @throws Failure if `root` is missing, or no directory. */
export function requireDirectory(root: string): void {
  inSite(root, () => opendirSync(root).closeSync())
}

/** @throws Failure if the site's directory isn't one. */
function inSite<T>(root: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw usageFailure(`There is no directory ${root}.`)
    if (!hasCode(error, 'ENOTDIR')) throw error
    throw usageFailure(`${root} is a file. Pass the directory of the site.`)
  }
}

/** @throws Failure (2) if the site's directory is that of a node. */
function requireSite(root: string, directory: string): void {
  if (directory !== '') return
  throw usageFailure(
    `${root} holds the data of a node (${dataFiles.join(', ')}). Pass the directory of the site.`,
  )
}

/** The device and number of a directory, which isn't followed if it has become a link. */
function identityOf(root: string, directory: string): string {
  const { dev, ino } = inSite(root, () => lstatSync(directory))
  return `${dev} ${ino}`
}

function look(absolute: string, path: string, entry: Dirent, { files, links, manyNamed }: Found): void {
  if (entry.isSymbolicLink()) {
    links.push(path)
    return
  }
  if (!entry.isFile()) {
    throw failed(`${path} is neither a file nor a directory. Add it to ${ignoreFile}.`)
  }
  const stat = lstatSync(absolute)
  // Another one took its place after the directory was read.
  if (!stat.isFile()) throw changed(path)
  if (stat.nlink > 1) manyNamed.push({ path, stat })
  const { size, mtimeMs, ctimeMs, dev, ino } = stat
  files.set(path, { path, absolute, size, modifiedMs: mtimeMs, changedMs: ctimeMs, device: dev, inode: ino })
}
