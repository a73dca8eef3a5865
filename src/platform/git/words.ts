/** Git's own words, made fit for whoever pushes: bounded, printable, and without places of this server. */
import { toPrintable } from '../../lib/names/printable.ts'

/** The most of one line, and of all that git says during a push, in bytes. */
const most = { line: 1_000, all: 64 * 1024 }

export type Words = {
  /** Takes some of what git says. */
  add(bytes: Buffer): void
  /** Passes on a last line that has no end. */
  end(): void
}

/**
 * Calls `pass` with each line that git says about the repository in `directory`, and its end: a line feed, or
 * for progress a carriage return. Beyond the bounds lines are cut, and the rest is dropped.
 */
export function createWords(directory: string, pass: (text: string) => void): Words {
  let line: Buffer[] = []
  let lineBytes = 0
  let allBytes = 0

  function take(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(0, most.line - lineBytes))
    if (kept.length > 0) line.push(kept)
    lineBytes += kept.length
  }

  function pour(end: string): void {
    const text = withoutPlaces(Buffer.concat(line).toString(), directory)
    line = []
    lineBytes = 0
    if (allBytes > most.all) return
    allBytes += text.length + 1
    pass(allBytes > most.all ? '…\n' : text + end)
  }

  return {
    add(bytes) {
      let start = 0
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at]
        if (byte !== lineFeed && byte !== carriageReturn) continue
        take(bytes.subarray(start, at))
        pour(String.fromCharCode(byte))
        start = at + 1
      }
      take(bytes.subarray(start))
    },
    end() {
      if (lineBytes > 0) pour('\n')
    },
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The words that stand in a sentence for a place on this server. */
const place = '(the repository)'

/** A path from the root, or from a directory that only the server knows. */
const path = /(^|[\s('"=])\.{0,2}\/[^\s'":,]*/g

/** A name of git's own within the repository. */
const ownPath = /(^|[\s('"=])(?:objects|info|tmp_objdir-\S*)\/[^\s'":,]*/g

/** A sentence of git about the repository in `directory` that says nothing of where that is. */
export function withoutPlaces(text: string, directory: string): string {
  const quoted = text.replaceAll(/'\.{0,2}\/[^'\n]*'/g, place).replaceAll(directory, place)
  return toPrintable(quoted.replaceAll(path, `$1${place}`).replaceAll(ownPath, `$1${place}`))
}
