/** Leaves out of a zip or a push what is never deployed, as the command does with a directory. */
import { invalidField } from '../../../lib/errors.ts'
import { dataFiles, isNeverDeployed } from '../never-deployed.ts'
import type { ZippedFile } from './read-zip.ts'

/** So many are named. */
const maxNamed = 100

/** Of the command's, beside what it deploys. */
const linkFile = 'svc.json'

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
  const find = (path: string) => foundIn(path, nodes, isIncluded)
  const kept = files.filter(({ path }) => {
    const found = find(path)
    if (found !== undefined) leftOut.add(found)
    return found === undefined
  })
  for (const { path, linkTo } of kept) {
    if (linkTo !== undefined && find(linkTo) !== undefined)
      throw invalidField(field, `${JSON.stringify(path)} is a link to ${linkTo}, which is never deployed`)
  }
  const named = [...leftOut].slice(0, maxNamed)
  if (kept.length === 0)
    throw invalidField(field, `has nothing but what is never deployed: ${named.join(', ')}`)
  return { files: kept, leftOut: named }
}

/** The shortest path to `path` that is never deployed; `nodes` are directories of nodes' data. */
function foundIn(
  path: string,
  nodes: Set<string>,
  isIncluded: (path: string) => boolean,
): string | undefined {
  if (path === linkFile) return path
  if (nodes.has('')) return path
  const segments = path.split('/')
  for (const [at, segment] of segments.entries()) {
    const upTo = segments.slice(0, at + 1).join('/')
    const isNever = isNeverDeployed(segment) && !isIncluded(upTo)
    if (isNever || nodes.has(upTo)) return upTo
  }
  return undefined
}

function isOfNode(path: string): boolean {
  return dataFiles.includes(path.slice(path.lastIndexOf('/') + 1))
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
