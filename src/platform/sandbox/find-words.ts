/** Finds many words in a text in one pass (Aho and Corasick, 1975). */
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Span = { start: number; end: number }

/**
 * Positions of the words in a text, in order; overlapping ones are merged. `longest` is the length of the
 * longest word.
 */
export type WordFinder = { find: (text: string) => Span[]; longest: number }

/** How many UTF-16 units are processed before yielding. */
const unitsPerTurn = 100_000

/**
 * The trie of the words, in arrays, since objects would take ten times the memory. Node 0 is the root;
 * `parent` and `unit` are each node's edge, `depth` its length, and `slots` is a hash table of the nodes.
 */
type Tree = { parent: Int32Array; unit: Uint16Array; depth: Int32Array; slots: Int32Array; size: number }

/** Takes memory and time proportional to the total length of the words, and yields meanwhile. */
export async function createWordFinder(words: readonly string[]): Promise<WordFinder> {
  const units = words.reduce((sum, { length }) => sum + length, 1)
  const tree: Tree = {
    parent: new Int32Array(units),
    unit: new Uint16Array(units),
    depth: new Int32Array(units),
    slots: new Int32Array(2 ** Math.ceil(Math.log2(units * 2))),
    size: 1,
  }
  /** For each node the length of the longest word that it ends with. */
  const ending = new Int32Array(units)
  const isTurn = createTurns()
  for (const word of words) {
    if (isTurn(word.length)) await nextTurn()
    ending[addWord(tree, word)] = word.length
  }
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0)
  /** For each node its failure link: the longest proper suffix that is a node. */
  const shorter = new Int32Array(tree.size)
  for (const node of byDepth(tree, longest)) {
    if (isTurn(1)) await nextTurn()
    const parent = at(tree.parent, node)
    const next = parent === 0 ? 0 : follow(tree, shorter, at(shorter, parent), at(tree.unit, node))
    shorter[node] = next
    ending[node] ||= at(ending, next)
  }
  return { find: (text) => findSpans(text, { tree, shorter, ending }), longest }
}

function createTurns(): (units: number) => boolean {
  let taken = 0
  return (units) => {
    taken += units
    if (taken < unitsPerTurn) return false
    taken = 0
    return true
  }
}

function addWord(tree: Tree, word: string): number {
  let node = 0
  for (let i = 0; i < word.length; i += 1) {
    const unit = word.charCodeAt(i)
    const slot = findSlot(tree, node, unit)
    const child = tree.slots[slot] || tree.size
    if (child === tree.size) {
      tree.slots[slot] = child
      tree.parent[child] = node
      tree.unit[child] = unit
      tree.depth[child] = i + 1
      tree.size += 1
    }
    node = child
  }
  return node
}

/** The slot of a node's child by a unit. Never full: it has twice as many slots as there can be nodes. */
function findSlot({ parent, unit: units, slots }: Tree, node: number, unit: number): number {
  const mask = slots.length - 1
  let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 0
  slot = (slot ^ (slot >>> 15)) & mask
  for (;;) {
    const child = slots[slot]
    if (!child || (parent[child] === node && units[child] === unit)) return slot
    slot = (slot + 1) & mask
  }
}

/** All nodes but the root in breadth-first order, by counting sort. */
function byDepth({ depth, size }: Tree, longest: number): Int32Array {
  const starts = new Int32Array(longest + 2)
  for (let node = 1; node < size; node += 1) starts[at(depth, node) + 1] = at(starts, at(depth, node) + 1) + 1
  for (let i = 1; i < starts.length; i += 1) starts[i] = at(starts, i) + at(starts, i - 1)
  const order = new Int32Array(size - 1)
  for (let node = 1; node < size; node += 1) {
    const place = at(starts, at(depth, node))
    order[place] = node
    starts[at(depth, node)] = place + 1
  }
  return order
}

/** The longest node that is a suffix of `node` followed by `unit`. */
function follow(tree: Tree, shorter: Int32Array, from: number, unit: number): number {
  for (let node = from; ; node = at(shorter, node)) {
    const child = tree.slots[findSlot(tree, node, unit)]
    if (child) return child
    if (node === 0) return 0
  }
}

type Automaton = { tree: Tree; shorter: Int32Array; ending: Int32Array }

function findSpans(text: string, { tree, shorter, ending }: Automaton): Span[] {
  const spans: Span[] = []
  let node = 0
  for (let i = 0; i < text.length; i += 1) {
    node = follow(tree, shorter, node, text.charCodeAt(i))
    const length = at(ending, node)
    if (length > 0) addSpan(spans, { start: i + 1 - length, end: i + 1 })
  }
  return spans
}

/** Adds a span; spans come in order of their ends, and overlapping ones are merged. */
function addSpan(spans: Span[], span: Span): void {
  let { start } = span
  for (let last = spans.at(-1); last && last.end > span.start; last = spans.at(-1)) {
    start = Math.min(start, last.start)
    spans.pop()
  }
  spans.push({ start, end: span.end })
}

/** An array's element that exists. */
function at(array: Int32Array | Uint16Array, index: number): number {
  return array[index] ?? 0
}
