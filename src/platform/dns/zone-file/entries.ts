/** Tokenizes a master file (RFC 1035, section 5.1): quotes, escapes, comments and parentheses. */

/**
 * A token without its quotes, its escapes unresolved; `attached` if no blank is between it and the one
 * before.
 */
export type Word = { text: string; quoted: boolean; attached: boolean }

/** One entry, or a comment alone (`words` is empty). */
export type Entry = {
  /** Its first line, from 1. */
  line: number
  words: Word[]
  /** Whether its first line begins with a blank, which repeats the previous name. */
  indented: boolean
  /** The comment on its last line. */
  comment: string | undefined
}

/** A problem, with its line. */
export type Problem = {
  line: number
  message: string
  /** Whether it decides what the lines after it mean, so that they can't be read without it. */
  decidesRest?: boolean
}

/** A line that can't be read. */
export type Unreadable = Problem & Pick<Entry, 'indented'>

/** The longest TXT record, with three digits a byte. */
const maxLineCharacters = 300_000

/** Many times the records of a zone. */
const maxLines = 200_000

/** More than any record has; limits memory. */
const maxWords = 1_000

const part = /[ \t\r\f\v]+|(;.*)|"((?:[^"\\]|\\.)*)"|([()])|((?:[^ \t\r\f\v"();\\]|\\.)+)/suy

/** The entries of `text` in order, with problems in place of unreadable lines. */
export function* readEntries(text: string): Generator<Entry | Unreadable> {
  let open: Entry | undefined
  let depth = 0
  for (const [line, content] of linesOf(text)) {
    if (line > maxLines) {
      const message = `is past the ${maxLines} lines that a file may have`
      yield { line, message, indented: false, decidesRest: true }
      return
    }
    const entry: Entry = open ?? { line, words: [], indented: /^[ \t]/.test(content), comment: undefined }
    const read = readLine(content, entry, depth)
    if (typeof read === 'string') {
      // The lines after it may belong to it.
      const decidesRest = depth > 0 || content.includes('(')
      yield { line, message: read, indented: entry.indented, decidesRest }
      // Open parentheses of this line are unknown: the next one starts anew.
      open = undefined
      depth = 0
      continue
    }
    depth = read
    open = depth > 0 ? entry : undefined
    if (!open && (entry.words.length > 0 || entry.comment !== undefined)) yield entry
  }
  if (open) {
    const { line, indented } = open
    yield { line, message: 'the parenthesis is not closed', indented, decidesRest: true }
  }
}

function* linesOf(text: string): Generator<[line: number, content: string]> {
  let line = 1
  // A byte order mark.
  for (let from = text.startsWith('\uFEFF') ? 1 : 0; from < text.length; line++) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    yield [line, text.slice(from, to)]
    from = to + 1
  }
}

/**
 * Adds the tokens of a line to its entry. Returns how many parentheses are open at its end, or the problem.
 */
function readLine(content: string, entry: Entry, openBefore: number): number | string {
  if (content.length > maxLineCharacters) return 'is too long'
  let depth = openBefore
  let attached = false
  entry.comment = undefined
  for (let at = 0; at < content.length; at = part.lastIndex) {
    part.lastIndex = at
    const found = part.exec(content)
    if (!found) return content[at] === '"' ? 'the quote is not closed on its line' : 'ends with a backslash'
    const [, comment, quoted, parenthesis, word] = found
    if (comment !== undefined) entry.comment = comment.slice(1).trim()
    else if (parenthesis !== undefined) depth += parenthesis === '(' ? 1 : -1
    else if (quoted !== undefined) entry.words.push({ text: quoted, quoted: true, attached })
    else if (word !== undefined) entry.words.push({ text: word, quoted: false, attached })
    attached = quoted !== undefined || word !== undefined
    if (depth < 0) return 'closes a parenthesis that is not open'
    if (entry.words.length > maxWords) return 'belongs to an entry of too many words'
  }
  return depth
}
