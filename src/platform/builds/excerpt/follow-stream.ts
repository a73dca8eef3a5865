/** Puts the lines of one stream together: an error with its place above it, and with what follows it. */
import { type AwaitedError, awaitError } from './awaited-error.ts'
import type { Gathering, Quoted } from './gathering.ts'
import type { LineKind } from './kinds.ts'
import { createLastPlace } from './last-place.ts'
import { kindsOfStream } from './line-kind.ts'
import { indentOf } from './line-shape.ts'
import { npmText } from './npm.ts'
import { type OpenError, openError } from './open-error.ts'

/** Takes the lines of a stream, one after another, and returns their kinds. */
export function followStream(gathering: Gathering): (line: Quoted) => LineKind {
  const kindOf = kindsOfStream()
  const place = createLastPlace()
  let open: OpenError | undefined
  let awaited: AwaitedError | undefined
  /** The kind of the paragraph so far, which goes on: of others alone, a line may be a message. */
  let paragraph: 'error' | 'warning' | 'trace' | 'other' = 'other'
  /** The line before, which is an error if a stack's trace follows. */
  let before: Quoted | undefined

  function begin(line: Quoted): void {
    const message = { place: place.of(line.text), line }
    const error = gathering.addError(message, awaited ? [awaited.heading] : [])
    open = error && openError(error)
    awaited = undefined
    before = undefined
    paragraph = 'error'
  }

  function endParagraph(): void {
    place.seeBlank()
    open?.followBlank()
    before = undefined
    paragraph = 'other'
  }

  /** Whether a heading has announced this line as its error. */
  function isAwaited(line: Quoted, kind: LineKind): boolean {
    if (!awaited || kind === 'heading') return false
    const found = awaited.look(line, kind)
    if (found === 'none') awaited = undefined
    return found === 'error'
  }

  function pass(line: Quoted, kind: LineKind): void {
    const isPlace = place.see(line)
    if (kind === 'heading') awaited = awaitError(line)
    if (kind === 'frame') {
      if (before) begin(before)
      paragraph = 'trace'
    }
    if (kind === 'heading' || open?.follow(line, kind) === false) open = undefined
    if (kind === 'warning') paragraph = 'warning'
    else if (paragraph === 'warning' && indentOf(line.text) > 0) return
    if (kind === 'warning') gathering.addWarning({ place: place.of(line.text), line })
    else if (!isPlace) gathering.addOther(kind, line)
    const isMessage = paragraph === 'other' && !isPlace && (kind === 'plain' || kind === 'hint')
    if (kind !== 'chatter') before = isMessage ? line : undefined
  }

  return (line) => {
    const kind = kindOf(line.text)
    if ((npmText(line.text) ?? line.text).trim() === '') endParagraph()
    else if (kind === 'cause' || isAwaited(line, kind)) begin(line)
    else pass(line, kind)
    return kind
  }
}
