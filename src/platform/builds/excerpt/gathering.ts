/** Keeps the lines that may say why a command failed, as many as may be quoted, and chooses among them. */
import type { LineKind } from './kinds.ts'
import { hasWords } from './line-shape.ts'

/** A line to quote; `at` is its number in the whole output. */
export type Quoted = { at: number; text: string }

/** A message, and the line that says of which place it is, if that is another one. */
type Message = { place: Quoted | undefined; line: Quoted }

/** An error: the lines that say what and where it is, and others that help to understand it. */
export type ErrorLines = { core: Quoted[]; rest: Quoted[] }

export type Gathering = {
  /** Undefined where there are enough of them, or another one said the same. */
  addError(message: Message, rest: Quoted[]): ErrorLines | undefined
  addWarning(message: Message): void
  /** Any other line. */
  addOther(kind: LineKind, line: Quoted): void
  errors(): string[]
  /** The lines that are likeliest to say why, where none is an error. */
  likeliest(): string[]
}

/** The most lines of an excerpt. */
const maxLines = 10

/** How many of the last lines are quoted where none says more. */
const lastLines = 5

/** A gathering that holds some hundred lines at most. */
export function createGathering(): Gathering {
  const errors: ErrorLines[] = []
  const said = new Set<string>()
  const warnings: Quoted[] = []
  const [headings, hints, plain, summaries] = [keepEnds(0), keepEnds(lastLines), keepEnds(0), keepEnds(0)]

  function likeliest(): Quoted[] {
    // As `--strict` and the like have it.
    const strict = summaries.lines().filter(({ text }) => /\bwarnings\b|\[warn\]/i.test(text))
    if (strict.length > 0 && warnings.length > 0) return [...warnings, ...strict]
    const told = hints.lines().length > 0 ? hints : plain
    const found = [...headings.lines(), ...told.lines()]
    return found.length > 0 ? found : summaries.lines()
  }

  return {
    addError(message, rest) {
      const text = message.line.text.trim()
      if (errors.length === maxLines || said.has(text)) return undefined
      said.add(text)
      const known = errors.flatMap(({ core }) => core)
      const error = { core: linesOf(message, known), rest }
      errors.push(error)
      return error
    },
    addWarning(message) {
      const lines = linesOf(message, warnings)
      if (warnings.length + lines.length < maxLines) warnings.push(...lines)
    },
    addOther(kind, line) {
      if (kind === 'heading') headings.add(line)
      else if (kind === 'summary') summaries.add(line)
      else if (kind === 'hint' || kind === 'detail') hints.add(line)
      else if (kind === 'plain' && hasWords(line.text)) plain.add(line)
    },
    errors: () => textsOf(withRoom(errors)),
    likeliest: () => textsOf(likeliest().slice(-maxLines)),
  }
}

/** The lines of a message; its place only if that isn't known. */
function linesOf({ place, line }: Message, known: Quoted[]): Quoted[] {
  return place && !known.includes(place) ? [place, line] : [line]
}

/** Keeps so many of the first lines, and of the others the last ones. */
function keepEnds(mostFirst: number): { add(line: Quoted): void; lines(): Quoted[] } {
  const first: Quoted[] = []
  const last: Quoted[] = []
  return {
    add(line) {
      if (first.length < mostFirst) first.push(line)
      else last.push(line)
      if (last.length > lastLines) last.shift()
    },
    lines: () => [...first, ...last],
  }
}

/** The errors themselves first, and what else there is of the first ones in the room that is left. */
function withRoom(errors: ErrorLines[]): Quoted[] {
  const core = errors.flatMap((error) => error.core).slice(0, maxLines)
  const rest = errors.flatMap((error) => error.rest).slice(0, maxLines - core.length)
  return [...new Set([...core, ...rest])]
}

function textsOf(lines: Quoted[]): string[] {
  return lines.toSorted((a, b) => a.at - b.at).map(({ text }) => text)
}
