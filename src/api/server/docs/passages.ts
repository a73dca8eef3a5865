/** Search in the pages below `/docs`. */
import { unescapeHtml } from '../../../lib/names/escape-html.ts'

/** A part of a page under one heading. */
export type Passage = {
  /** With the fragment of the heading. */
  path: string
  title: string
  /** Empty for what stands above the first one. */
  heading: string
  text: string
}

/** A passage, with the part of its text around what was searched for. */
export type Hit = Passage & { excerpt: string }

/** Longer queries are cut. */
export const maxQueryLength = 100

const maxHits = 30
const maxExcerptLength = 200

/** Where a heading, or the section of an operation, begins. */
const starts = /<(?:h[23]|section)\b[^>]*?\bid="([^"]+)"/g

/** The passages of a page, in their order. */
export function passagesOf({
  path,
  title,
  markup,
}: {
  path: string
  title: string
  markup: string
}): Passage[] {
  const ids = [...markup.matchAll(starts)]
  const bounds = [0, ...ids.map(({ index }) => index), markup.length]
  return bounds.slice(0, -1).map((start, at) => {
    const part = markup.slice(start, bounds[at + 1])
    const id = at === 0 ? undefined : ids[at - 1]?.[1]
    const [whole = '', heading = ''] = (id !== undefined && /<h[23][^>]*>(.*?)<\/h[23]>/s.exec(part)) || []
    return {
      path: id === undefined ? path : `${path}#${id}`,
      title,
      heading: textOf(heading),
      text: textOf(part.replace(whole, ' ')),
    }
  })
}

function textOf(markup: string): string {
  const words = markup.replace(/<[^>]*>/g, (tag) =>
    /^<\/?(?:code|b|a|em|strong|span)\b/.test(tag) ? '' : ' ',
  )
  return unescapeHtml(words).replace(/\s+/g, ' ').trim()
}

/** The words that a passage must have, at most ten. */
function wordsOf(query: string): string[] {
  const words = query.slice(0, maxQueryLength).toLowerCase().split(/\s+/)
  return [...new Set(words)].filter((word) => word !== '').slice(0, 10)
}

/**
 * The passages that have every word, those first whose heading, and then whose title, has more of them; of
 * equal ones the shorter.
 */
export function findPassages(passages: readonly Passage[], query: string): Hit[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = passages.flatMap((passage) => {
    const [heading, title, text] = [passage.heading, passage.title, passage.text].map((each) =>
      each.toLowerCase(),
    )
    const whole = `${title}\n${heading}\n${text}`
    if (!words.every((word) => whole.includes(word))) return []
    const count = (part = '') => words.filter((word) => part.includes(word)).length
    return [{ passage, rank: count(heading) * 4 + count(title) * 2 + count(text) }]
  })
  return found
    .sort((a, b) => b.rank - a.rank || a.passage.text.length - b.passage.text.length)
    .slice(0, maxHits)
    .map(({ passage }) => ({ ...passage, excerpt: excerptOf(passage.text, words) }))
}

/** From a little before the first of the words. */
function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1)
  const first = places.length > 0 ? Math.min(...places) : 0
  const start = first < 60 ? 0 : lower.lastIndexOf(' ', first - 40) + 1
  const end = start + maxExcerptLength
  const cut = text.slice(start, end).toWellFormed()
  return `${start > 0 ? '… ' : ''}${cut}${end < text.length ? ' …' : ''}`
}
