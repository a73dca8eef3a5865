/** The files of a commit: what a deployment can't have is refused by name, before it is inflated. */
import { AppError } from '../../lib/errors.ts'
import { maxPathBytes, pathProblem } from '../../lib/names/file-path.ts'
import { createFollow } from '../../lib/names/follow-links.ts'
import { toNfc } from '../../lib/names/nfc.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import type { FileCaps } from '../deployments/check-files.ts'
import { leaveOut } from '../deployments/zip/leave-out.ts'
import type { Objects } from './objects.ts'

/** A file of a commit; `linkTo` is the path of the file that a link leads to. */
export type TreeFile = { path: string; size: number; oid: string; linkTo?: string }

/** The files of a commit that are deployed. */
export type Tree = {
  files: TreeFile[]
  /** The files and directories that are never deployed, by the shortest paths. */
  leftOut: string[]
}

/** The rules of a site, in gitignore's syntax. */
export const ignoreFile = '.svcignore'

/** The verdict of a site's rules on a path. */
export type Verdict = 'left_out' | 'included'

/** An entry of a tree: a file, a link or a submodule. */
export type Entry = { mode: string; oid: string; size: number; path: string }

const modes = { link: '120000', submodule: '160000' }

/** As many as the path of a file may have. */
const maxTargetBytes = maxPathBytes

/** For all links of a commit. */
const maxLinkBytes = 1024 * 1024

/**
 * The files among the entries of a commit, but for those that its own rules leave out.
 * @throws AppError `invalid_input` for submodules, links to no file, names that differ
 * in case alone, and whatever exceeds `caps`.
 */
export async function filesOf(
  objects: Objects,
  { entries, verdicts }: { entries: Entry[]; verdicts: ReadonlyMap<string, Verdict> },
  caps: FileCaps,
): Promise<Tree> {
  const isIncluded = (path: string) => verdicts.get(path) === 'included'
  const wanted = entries.filter(({ path }) =>
    path === ignoreFile ? isIncluded(path) : verdicts.get(path) !== 'left_out',
  )
  if (wanted.length === 0 && verdicts.size > 0) throw refused(ignoreFile, 'leaves out every file')
  const { files: kept, leftOut } = leaveOut(wanted, { field: 'git', isIncluded })
  const submodule = kept.find(({ mode }) => mode === modes.submodule)
  if (submodule) throw refused(submodule.path, 'is a submodule: commit its files themselves')
  if (kept.length > caps.maxFiles)
    throw tooMany(`${kept.length} files; a deployment may have ${caps.maxFiles}`)
  checkNames(kept)
  const plain = kept.filter(({ mode }) => mode !== modes.link)
  const links = kept.filter(({ mode }) => mode === modes.link)
  const all = [...plain, ...(await resolveLinks(objects, plain, links))]
  checkSizes(all, caps)
  return { files: all, leftOut }
}

/**
 * The entries below `folder`, with their paths there; all of them where it is empty.
 * @throws AppError `invalid_input` where there are none.
 */
export function below(folder: string, entries: Entry[]): Entry[] {
  if (folder === '' || folder === '.') return entries
  const found = entries.filter(({ path }) => path.startsWith(`${folder}/`))
  if (found.length === 0) throw refused(folder, 'is set as the directory of the site, and has no files')
  return found.map((entry) => ({ ...entry, path: entry.path.slice(folder.length + 1) }))
}

/** Some file systems keep one of two names that differ in case, and nobody notices which. */
function checkNames(entries: Entry[]): void {
  const known = new Map<string, string>()
  for (const { path } of entries) {
    const problem = pathProblem(path)
    if (problem) throw refused(path, problem)
    const folded = path.toLowerCase()
    const other = known.get(folded)
    if (other !== undefined)
      throw refused(path, `and ${spelledOut(other)} differ in nothing but case: rename one`)
    known.set(folded, path)
  }
}

async function resolveLinks(
  objects: Objects,
  files: Entry[],
  links: Entry[],
): Promise<(Entry & { linkTo: string })[]> {
  const targets = new Map<string, string>()
  let bytes = 0
  for (const { path, oid, size } of links) {
    bytes += size
    if (size > maxTargetBytes || bytes > maxLinkBytes) throw refused(path, 'is a link with too long a target')
    targets.set(path, toNfc((await contentOf(objects, { oid, size })).toString()))
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  const follow = createFollow(targets)
  return links.map(({ path }) => {
    const file = byPath.get(follow(path) ?? '')
    if (!file) throw refused(path, 'is a link, but not to a file that is deployed')
    return { ...file, path, linkTo: file.path }
  })
}

function checkSizes(files: Entry[], caps: FileCaps): void {
  const large = files.find(({ size }) => size > caps.maxFileBytes)
  if (large) throw refused(large.path, `has ${large.size} bytes; a file may have ${caps.maxFileBytes}`)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > caps.maxDeploymentBytes)
    throw tooMany(`${bytes} bytes of files; a deployment may have ${caps.maxDeploymentBytes}`)
}

/** The content of a small blob. */
export async function contentOf(
  objects: Objects,
  { oid, size }: { oid: string; size: number },
): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of objects.read(oid, size)) parts.push(part)
  return Buffer.concat(parts)
}

/** The error for a file that can't be deployed; `problem` is a predicate. A long path is cut. */
export function refused(path: string, problem: string): AppError {
  return new AppError('invalid_input', `${spelledOut(path)} ${problem}.`)
}

/** The error for a commit that can't be deployed as a whole; `what` is what it has. */
export function tooMany(what: string): AppError {
  return new AppError('invalid_input', `The commit has ${what}.`)
}
