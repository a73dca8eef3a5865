/** Finds the exported file for a path: a segment `_` of an exported name stands for any one segment. */

type Node = {
  /** The name of the file that ends here. */
  name: string | undefined
  literals: Map<string, Node>
  /** Segments `_`, `_.html` and `_.txt`, by what follows the `_`. */
  placeholders: Map<string, Node>
}

/**
 * Returns the name of the file for a path without a leading slash; undefined if there is none. What Next.js
 * makes pages of is found only where `forData`: `/robots.txt` is no page's.
 */
export type MatchPath = (path: string, forData: boolean) => string | undefined

const placeholder = /^_(|\.html|\.txt)$/

/** A part of a page's data. */
const dataName = /(^|\/)__next\.[^/]*\.txt$/

/** The slug of a team or the name of a project. */
const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/**
 * Names of the export alone: the pages of any team or project, the first page, and its page for unknown
 * paths.
 */
const exportName = /(^|\/)(_|_\.html)(\/|$)|^(index|index\.html|_not-found|_not-found\.html)$/

/** The most segments of a path; longer ones match nothing. */
const maxSegments = 16

/**
 * Matches paths with exported `names`, the exact name first: at each segment from the left, a literal one
 * precedes a placeholder; the empty path is `index`. The placeholders of a team and a project stand for
 * labels only, without an ending.
 */
export function createMatcher(names: Iterable<string>): MatchPath {
  const root = newNode()
  const all = new Set(names)
  for (const name of all) add(root, name)
  const isData = (name: string) =>
    dataName.test(name) || (name.endsWith('.txt') && all.has(name.replace(/txt$/, 'html')))
  return (path, forData) => {
    const segments = decodeSegments(path === '' ? 'index' : path)
    if (!segments) return undefined
    const last = segments.at(-1) ?? ''
    const page = [...segments.slice(0, -1), `${last}.html`]
    if (forData) {
      const data = exact(root, segments) ?? find(root, segments, 0)
      if (data !== undefined && isData(data)) return data
    }
    if (path !== '' && exportName.test(segments.join('/'))) return undefined
    const ways = [exact(root, segments), exact(root, page), find(root, page, 0)]
    return ways.find((name) => name !== undefined && !isData(name))
  }
}

function newNode(): Node {
  return { name: undefined, literals: new Map(), placeholders: new Map() }
}

function add(root: Node, name: string): void {
  let node = root
  for (const segment of name.split('/')) {
    const next = node.literals.get(segment) ?? newNode()
    node.literals.set(segment, next)
    const suffix = placeholder.exec(segment)?.[1]
    if (suffix !== undefined) node.placeholders.set(suffix, next)
    node = next
  }
  node.name = name
}

/**
 * Percent-decoded; undefined where that is impossible, a segment is empty or has a backslash, which browsers
 * take for a slash, or there are too many.
 */
function decodeSegments(path: string): string[] | undefined {
  const segments = path.split('/', maxSegments + 1)
  if (segments.length > maxSegments || segments.includes('') || path.includes('\\')) return undefined
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The values of a placeholder: a team, a project, or below them anything, such as a domain. */
function mayStandFor(segment: string, depth: number): boolean {
  return depth > 1 || label.test(segment)
}

function exact(root: Node, segments: string[]): string | undefined {
  let node: Node | undefined = root
  for (const segment of segments) node = node?.literals.get(segment)
  return node?.name
}

function find(node: Node, segments: string[], depth: number): string | undefined {
  const segment = segments[depth]
  if (segment === undefined) return node.name
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, depth + 1)
  if (found !== undefined) return found
  for (const [suffix, next] of node.placeholders) {
    const isMatching =
      segment.length > suffix.length &&
      segment.endsWith(suffix) &&
      mayStandFor(segment.slice(0, segment.length - suffix.length), depth)
    const name = isMatching ? find(next, segments, depth + 1) : undefined
    if (name !== undefined) return name
  }
  return undefined
}
