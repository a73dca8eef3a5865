/** Lists what is below the directory of a server's files, and nothing outside of it. */
import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, posix } from 'node:path'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { pathProblem } from '../../../lib/names/file-path.ts'
import { LeftProblem, refuseLeft, shownPath } from '../../sandbox/left-files.ts'
import { findEscapingLink } from './escaping-link.ts'
import { isLeftOut, plugAndPlay } from './left-out.ts'

/** The name of the place in messages. */
export const where = 'the files of the server'

/**
 * The paths of files with where their bytes are, and the links, each with its target relative to its own
 * directory.
 */
export type KeptTree = { files: { path: string; source: string }[]; links: Record<string, string> }

/**
 * `directory` is without links; `seenAs` are absolute paths by which the build knew it. Of it are kept the
 * files and directories `only`, or all.
 */
export type KeptRoot = { directory: string; seenAs: string[]; only?: string[] | undefined }

/** The longest texts of links together, in characters: they are in a row of the database. */
const maxLinkCharacters = 8 * 1024 * 1024

/**
 * Lists regular files and links. All processes of the build must have ended. Links that lead inside are kept,
 * to directories and to nothing, too; absolute ones become relative.
 * @throws LeftProblem that names what can't be kept, or says that there is too much; the signal's reason.
 */
export async function walkKept(
  { directory, seenAs, only }: KeptRoot,
  maxFiles: number,
  signal: AbortSignal,
): Promise<KeptTree> {
  const files: KeptTree['files'] = []
  const links = new Map<string, string>()
  const isPlugAndPlay = await isThere(join(directory, plugAndPlay))
  const bound = createBound(maxFiles)
  const directories = ['']
  for (let above = directories.pop(); above !== undefined; above = directories.pop()) {
    signal.throwIfAborted()
    for (const entry of await listDirectory(directory, above)) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`
      if (isLeftOut(path, isPlugAndPlay) || !isAmong(path, only)) continue
      const problem = pathProblem(path)
      if (problem) throw new LeftProblem(`The path ${shownPath(path)} of ${where} ${problem}.`)
      if (entry.isDirectory()) {
        bound.addDirectory()
        directories.push(path)
      } else if (entry.isFile()) {
        bound.addFile()
        files.push({ path, source: join(directory, path) })
      } else if (entry.isSymbolicLink()) {
        const target = await readTarget(path, { directory, seenAs })
        bound.addLink(path.length + target.length)
        links.set(path, target)
      } else
        throw new LeftProblem(`${shownPath(path)} in ${where} is not a file, but a device, pipe or socket.`)
    }
  }
  const tree = { files, links: Object.fromEntries(links) }
  const escaping = await inTurns(findEscapingLink(tree.links))
  if (escaping !== undefined) throw leadsOut(escaping, links.get(escaping) ?? '')
  return tree
}

/** Whether a path is one of these, below one, or on the way to one. */
function isAmong(path: string, only: string[] | undefined): boolean {
  return (
    only === undefined ||
    only.some((each) => path === each || path.startsWith(`${each}/`) || each.startsWith(`${path}/`))
  )
}

/** Counts what is listed. */
function createBound(maxFiles: number) {
  let [files, directories, characters] = [0, 0, 0]
  const refuse = (what: string) => {
    throw new LeftProblem(`There are more than ${what} in ${where}.`)
  }
  const addFile = () => {
    files += 1
    if (files > maxFiles) refuse(`${maxFiles} files and links`)
  }
  return {
    addFile,
    addDirectory() {
      directories += 1
      if (directories > maxFiles) refuse(`${maxFiles} directories`)
    },
    addLink(length: number) {
      addFile()
      characters += length
      if (characters > maxLinkCharacters) refuse(`${maxLinkCharacters} characters of links`)
    },
  }
}

async function listDirectory(root: string, path: string) {
  const directory = join(root, path)
  await requireSame(path, directory)
  return readdir(directory, { withFileTypes: true }).catch((error: unknown) =>
    refuseLeft({ path, where }, error),
  )
}

/** Throws a LeftProblem where something on the way to `source` is a link that was none when it was listed. */
export async function requireSame(path: string, source: string): Promise<void> {
  const found = await realpath(source).catch((error: unknown) => refuseLeft({ path, where }, error))
  if (found !== source) throw new LeftProblem(`${shownPath(path)} in ${where} is where it was no longer.`)
}

/** The target of a link, relative to its own directory. @throws LeftProblem where its text leads out. */
async function readTarget(path: string, { directory, seenAs }: KeptRoot): Promise<string> {
  const bytes = await readlink(join(directory, path), 'buffer').catch((error: unknown) =>
    refuseLeft({ path, where }, error),
  )
  const target = bytes.toString()
  if (!Buffer.from(target).equals(bytes)) throw unusual(path)
  const found = withinRoot(path, target, seenAs)
  if (found === undefined) throw leadsOut(path, target)
  const steps = posix.relative('/', posix.resolve('/', found))
  if (steps !== '' && pathProblem(steps)) throw unusual(path)
  return found
}

/** A target that stays inside by its text as it is, one that comes back to the root as a relative one. */
function withinRoot(path: string, target: string, seenAs: string[]): string | undefined {
  if (!isAbsolute(target) && isInside(posix.join(dirname(path), target))) return target
  for (const root of seenAs) {
    const from = posix.join(root, dirname(path))
    const to = posix.resolve(from, target)
    if (isInside(posix.relative(root, to))) return posix.relative(from, to) || '.'
  }
  return undefined
}

function isInside(path: string): boolean {
  return path !== '..' && !path.startsWith('../')
}

function unusual(path: string): LeftProblem {
  return new LeftProblem(`The target of the link ${shownPath(path)} in ${where} is no path of a file.`)
}

function leadsOut(path: string, target: string): LeftProblem {
  return new LeftProblem(`${shownPath(path)} links to ${shownPath(target)}, outside of ${where}.`)
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
