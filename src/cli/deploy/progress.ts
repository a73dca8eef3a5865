/** Reports the progress of a deployment: a bar at a terminal, a few plain lines elsewhere. */
import { isDeepStrictEqual } from 'node:util'
import type { Io } from '../io.ts'
import { size } from '../terminal/format.ts'
import { warn } from '../terminal/output.ts'
import { createStatusLine } from '../terminal/status-line.ts'

export type Progress = {
  /** Begins a phase, such as `Sending`, of this many files and bytes; 0 bytes: unknown. */
  begin(what: string, files: number, bytes: number): void
  /** This many more files, of this many bytes, are done. */
  add(files: number, bytes: number): void
  /** Writes a sentence about it, once. */
  say(sentence: string): void
  /** Removes the bar, so that other lines can be written. */
  end(): void
}

/** How often the bar is drawn, and how often a plain line is written. */
const drawMs = 100
const lineMs = 10_000

const barWidth = 24

/** Writes to standard error; nothing with `quiet`. */
export function createProgress(io: Pick<Io, 'stderr' | 'env'>, quiet: boolean, nowMs = Date.now): Progress {
  const line = createStatusLine(io)
  const said = new Set<string>()
  let part = { what: '', files: 0, bytes: 0 }
  let done = { files: 0, bytes: 0 }
  let redisMs = 0

  function text(): string {
    const { what, files, bytes } = part
    const ofBytes = bytes === 0 ? '' : `, ${size(done.bytes)} of ${size(bytes)}`
    return `${what} ${done.files}/${files} files${ofBytes}`
  }

  function draw(): void {
    const share = part.bytes === 0 ? done.files / Math.max(part.files, 1) : done.bytes / part.bytes
    const filled = Math.round(Math.min(share, 1) * barWidth)
    line.show(`[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text()}`)
  }

  function tell(everyMs: number): void {
    if (quiet || nowMs() - redisMs < everyMs) return
    redisMs = nowMs()
    if (line.replaces) draw()
    else line.show(text())
  }

  return {
    begin(what, files, bytes) {
      // A phase that begins anew, as after a missing project was made, has its plain line already.
      const isAnew = isDeepStrictEqual(part, { what, files, bytes })
      part = { what, files, bytes }
      done = { files: 0, bytes: 0 }
      redisMs = nowMs()
      if (quiet) return
      if (line.replaces) draw()
      else if (!isAnew) {
        const ofBytes = bytes === 0 ? '' : `, ${size(bytes)}`
        line.show(`${what} ${files} ${files === 1 ? 'file' : 'files'}${ofBytes}`)
      }
    },
    add(files, bytes) {
      done = { files: done.files + files, bytes: done.bytes + bytes }
      tell(line.replaces ? drawMs : lineMs)
    },
    say(sentence) {
      line.clear()
      if (!quiet && !said.has(sentence)) warn(io, sentence)
      said.add(sentence)
    },
    end: line.clear,
  }
}
