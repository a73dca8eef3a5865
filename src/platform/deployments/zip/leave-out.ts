/** Leaves out of a zip or a push what is never deployed, as the command does with a directory. */
import { cut } from '../../../lib/cut.ts'
import { invalidField } from '../../../lib/errors.ts'
import { dataFiles, isNeverDeployed, projectFile } from '../../../lib/names/never-deployed.ts'
import { spelledOut } from '../../../lib/names/spelled-out.ts'
import type { ZippedFile } from './read-zip.ts'

/** So many are named. */
const maxNamed = 100

/** `isIncluded` says whether a rule of the site includes a path that is never deployed otherwise. */
type Sent = { field?: 'zip' | 'git'; isIncluded?: (path: string) => boolean }

/**
 * The files to deploy of what came as `field`, and the shortest paths that name all others, at most 100:
 * `.env`, `app/.git`.
 * @throws AppError `invalid_input` if no file is to be deployed, and for a link to one that never is.
 */
export function leaveOut<F extends Pick<ZippedFile, 'path' | 'linkTo'>>(
  files: F[],
  { field = 'zip', isIncluded = () => false }: Sent = {},
): { files: F[]; leftOut: string[] } {
  const leftOut = new Set<string>()
  const nodes = new Set(
    files
      .map(({ path }) => path)
      .filter(isOfNode)
      .map(directoryOf),
  )
  const find = createFind(nodes, isIncluded)
  const kept = files.filter(({ path }) => {
    const found = find(path)
    if (found !== undefined) leftOut.add(found)
    return found === undefined
  })
  for (const { path, linkTo } of kept) {
    if (linkTo !== undefined && find(linkTo) !== undefined)
      throw invalidField(
        field,
        `${spelledOut(path)} is a link to ${cut(linkTo, maxNamed)}, which is never deployed`,
      )
  }
  const named = [...leftOut].slice(0, maxNamed)
  if (kept.length === 0)
    throw invalidField(field, `has nothing but what is never deployed: ${named.join(', ')}`)
  return { files: kept, leftOut: named }
}

/**
 * Finds the shortest path to a path that is never deployed; `nodes` are directories of nodes' data. Each
 * directory is looked at once, however many files it has.
 */
function createFind(
  nodes: ReadonlySet<string>,
  isIncluded: (path: string) => boolean,
): (path: string) => string | undefined {
  const found = new Map<string, string | undefined>()

  function look(path: string): string | undefined {
    const above = directoryOf(path)
    const before = above === '' ? undefined : inDirectory(above)
    if (before !== undefined) return before
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isNever = isNeverDeployed(name) && !isIncluded(path)
    return isNever || nodes.has(path) ? path : undefined
  }

  function inDirectory(path: string): string | undefined {
    if (!found.has(path)) found.set(path, look(path))
    return found.get(path)
  }

  return (path) => (path === projectFile || nodes.has('') ? path : look(path))
}

function isOfNode(path: string): boolean {
  return dataFiles.includes(path.slice(path.lastIndexOf('/') + 1))
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
