/** Finds the files of a site in a directory. */
import { type Dirent, opendirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Ignore } from 'ignore'
import { hasCode } from '../../data-dir/read-if-any.ts'
import { failed, usageFailure } from '../failure.ts'
import { projectFileName } from '../project-file/project-file.ts'
import { plain } from '../terminal/output.ts'

/** A file as found: its path on the site, and what shows later whether it has changed. */
export type SiteFile = {
  /** Relative to the site's directory, with slashes. */
  path: string
  size: number
  modifiedMs: number
  /** When its content or metadata last changed. */
  changedMs: number
  inode: number
}

/** In gitignore's syntax, relative to the site's directory. */
const ignoreFile = '.svcignore'

/** Names that are never deployed; a line such as `!.env.example` in `.svcignore` includes one. */
const neverMeant =
  /^(?:\.git|\.hg|\.svn|\.svc|\.svcignore|node_modules|\.env|\.env\..*|\.DS_Store|Thumbs\.db)$/

/**
 * The files to deploy from the directory `root`, by path, without those that `.svcignore` names.
 * @throws Failure for what can't be deployed: a missing directory, a link that leads out of it, a device, a name that
 *   isn't UTF-8.
 */
export async function walkSite(root: string, signal: AbortSignal): Promise<SiteFile[]> {
  const top = inSite(root, () => realpathSync(root))
  const rules = await readIgnored(top)
  const files: SiteFile[] = []
  const directories = ['']
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    // Synchronous calls are several times faster than handing each to a thread; this await lets Ctrl-C through.
    await turn()
    signal.throwIfAborted()
    for (const entry of inSite(root, () => readdirSync(join(top, directory), { withFileTypes: true }))) {
      const path = directory + entry.name
      if (path === projectFileName || isIgnored(rules, path, entry)) continue
      if (path.includes('\ufffd')) throw failed(`${plain(path)} has a name that is not UTF-8. Rename it.`)
      if (entry.isDirectory()) directories.push(`${path}/`)
      else files.push(look(top, path, entry))
    }
  }
  return byPath(files)
}

/** Sorts plain strings, which is several times faster than a comparison function before that is compiled. */
function byPath(files: SiteFile[]): SiteFile[] {
  const known = new Map(files.map((file) => [file.path, file]))
  return [...known.keys()].sort().flatMap((path) => known.get(path) ?? [])
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
    if (hasCode(error, 'ENOENT')) throw usageFailure(`There is no directory ${plain(root)}.`)
    if (!hasCode(error, 'ENOTDIR')) throw error
    throw usageFailure(`${plain(root)} is a file. Pass the directory of the site.`)
  }
}

async function readIgnored(root: string): Promise<Ignore | undefined> {
  try {
    const text = readFileSync(join(root, ignoreFile), 'utf8')
    const { default: ignore } = await import('ignore')
    return ignore().add(text)
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}

function isIgnored(rules: Ignore | undefined, path: string, entry: Dirent): boolean {
  const verdict = rules?.test(entry.isDirectory() ? `${path}/` : path)
  if (verdict?.ignored || verdict?.unignored) return verdict.ignored
  return neverMeant.test(entry.name)
}

function look(root: string, path: string, entry: Dirent): SiteFile {
  if (entry.isSymbolicLink()) checkLink(root, path)
  else if (!entry.isFile()) {
    throw failed(`${plain(path)} is neither a file nor a directory. Add it to ${ignoreFile}.`)
  }
  const { size, mtimeMs, ctimeMs, ino } = statSync(`${root}/${path}`)
  return { path, size, modifiedMs: mtimeMs, changedMs: ctimeMs, inode: ino }
}

/** A link to a file of the same site is deployed as that file; others may point to private files. */
function checkLink(root: string, path: string): void {
  try {
    const target = realpathSync(join(root, path))
    if (!relative(root, target).startsWith(`..${sep}`) && statSync(target).isFile()) return
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ELOOP')) throw error
  }
  throw failed(
    `${plain(path)} is a link, but not to a file of the site. Replace it with a copy, or add it to ${ignoreFile}.`,
  )
}
