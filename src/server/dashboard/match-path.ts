/** Finds the exported file for a path: a segment `_` of an exported name stands for any one segment. */

type Node = {
  /** The name of the file that ends here. */
  name: string | undefined
  literals: Map<string, Node>
  /** Segments `_`, `_.html` and `_.txt`, by what follows the `_`. */
  placeholders: Map<string, Node>
}

/** Returns the name of the file for a path without a leading slash; undefined if there is none. */
export type MatchPath = (path: string) => string | undefined

const placeholder = /^_(|\.html|\.txt)$/

/** The most segments of a path; longer ones match nothing. */
const maxSegments = 16

/**
 * Matches paths with exported `names`, the exact name first: at each segment from the left, a literal one precedes a
 * placeholder. A page is found with and without `.html`, and the empty path is `index`.
 */
export function createMatcher(names: Iterable<string>): MatchPath {
  const root = newNode()
  for (const name of names) add(root, name)
  return (path) => {
    const segments = decodeSegments(path === '' ? 'index' : path)
    if (!segments) return undefined
    const last = segments.at(-1) ?? ''
    const page = [...segments.slice(0, -1), `${last}.html`]
    return exact(root, segments) ?? exact(root, page) ?? find(root, segments, 0) ?? find(root, page, 0)
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
 * Percent-decoded; undefined where that is impossible, a segment is empty or has a backslash, which browsers take for a
 * slash, or there are too many.
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
    const isMatching = segment.length > suffix.length && segment.endsWith(suffix)
    const name = isMatching ? find(next, segments, depth + 1) : undefined
    if (name !== undefined) return name
  }
  return undefined
}
