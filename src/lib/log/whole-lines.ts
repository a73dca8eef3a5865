/** Passes on the lines of another process whole, so that lines of several processes are never mixed. */

/** A line that doesn't end is passed on in pieces of this length. */
const maxLength = 1024 * 1024

export type WholeLines = {
  /** Takes the next part of the text, and passes on the lines that it completes. */
  write(text: string): void
  /** Passes on the rest, as a line. */
  end(): void
}

/** Calls `passOn` with one or more lines, each with its line end. */
export function createWholeLines(passOn: (lines: string) => void): WholeLines {
  let rest = ''
  return {
    write(text) {
      const end = text.lastIndexOf('\n') + 1
      if (end > 0) passOn(rest + text.slice(0, end))
      rest = end > 0 ? text.slice(end) : rest + text
      if (rest.length > maxLength) this.end()
    },
    end() {
      if (rest !== '') passOn(`${rest}\n`)
      rest = ''
    },
  }
}
