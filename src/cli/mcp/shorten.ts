/** Answers that fit into what a model reads. */
import { isRecord } from '../../lib/is-record.ts'

/** Some ten thousand tokens, as JSON. */
export const maxCharacters = 40_000

/** How much of each string and list is kept, in the order in which that is tried. */
const steps = [
  { characters: 2_000, items: Number.POSITIVE_INFINITY },
  { characters: 2_000, items: 50 },
  { characters: 1_000, items: 20 },
  { characters: 500, items: 8 },
  { characters: 200, items: 2 },
]

type Shortened = {
  value: unknown
  /** The rest, and how it is had. */
  notes: string[]
}

/** The JSON value, cut where it is longer than `maxCharacters`, with notes that say so. */
export function shortened(value: unknown): Shortened {
  if (fits(value)) return { value, notes: notesOnPage(value) }
  for (const step of steps) {
    const notes: string[] = []
    const cut = withoutCursor(value, cutTo(value, step, '', notes))
    if (fits(cut)) return { value: cut, notes: notesOn(notes) }
  }
  const excerpt = JSON.stringify(value).slice(0, maxCharacters / 2)
  return { value: { excerpt }, notes: [`Only its first ${excerpt.length} characters, as JSON, are here.`] }
}

function fits(value: unknown): boolean {
  return JSON.stringify(value ?? null).length <= maxCharacters
}

function cutTo(value: unknown, step: (typeof steps)[number], path: string, notes: string[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= step.characters) return value
    notes.push(`${path}: the first ${step.characters} of ${value.length} characters`)
    return `${value.slice(0, step.characters)}…`
  }
  if (Array.isArray(value)) {
    if (value.length > step.items) notes.push(`${path}: the first ${step.items} of ${value.length} entries`)
    return value.slice(0, step.items).map((each, at) => cutTo(each, step, `${path}[${at}]`, notes))
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    cutTo(each, step, path === '' ? name : `${path}.${name}`, notes),
  ])
  return Object.fromEntries(entries)
}

/** The cursor of a page leads past the rows that were cut off. */
function withoutCursor(whole: unknown, cut: unknown): unknown {
  if (!isRecord(whole) || !isRecord(cut) || !Array.isArray(whole.data) || !Array.isArray(cut.data)) return cut
  if (cut.data.length === whole.data.length) return cut
  const { next_cursor: _past, ...kept } = cut
  return kept
}

const maxNotes = 10

function notesOn(cuts: string[]): string[] {
  const more = cuts.length > maxNotes ? [`and ${cuts.length - maxNotes} more`] : []
  return [
    `It was too long, and is cut: ${[...cuts.slice(0, maxNotes), ...more].join('; ')}. ` +
      'To get the rest, ask for less at a time: a smaller limit, which also gives a next_cursor, a shorter ' +
      'time, a narrower filter, or one thing by its id.',
  ]
}

function notesOnPage(value: unknown): string[] {
  const isPage = isRecord(value) && typeof value.next_cursor === 'string'
  return isPage ? ['There is more: call again with the same arguments, and cursor set to next_cursor.'] : []
}
