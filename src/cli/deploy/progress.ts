/** Reports the progress of a deployment: a bar at a terminal, a few plain lines elsewhere. */
import type { Io } from '../io.ts'
import { warn } from '../terminal/output.ts'
import { size } from '../terminal/shown.ts'

export type Progress = {
  /** Begins a phase, such as `Sending`, of this many files and bytes. */
  begin(what: string, files: number, bytes: number): void
  /** This many more files, of this many bytes, are done. */
  add(files: number, bytes: number): void
  /** Removes the bar, so that other lines can be written. */
  end(): void
}

/** How often the bar is drawn, and how often a plain line is written. */
const drawMs = 100
const lineMs = 10_000

const barWidth = 24

/** Writes to standard error; nothing with `quiet`. */
export function createProgress(
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  quiet: boolean,
  nowMs = Date.now,
): Progress {
  const drawsBar = stderr.isTTY && env.TERM !== 'dumb'
  let part = { what: '', files: 0, bytes: 0 }
  let done = { files: 0, bytes: 0 }
  let toldMs = 0
  let drawn = false

  function text(): string {
    const { what, files, bytes } = part
    return `${what} ${done.files}/${files} files, ${size(done.bytes)} of ${size(bytes)}`
  }

  function draw(): void {
    const filled = Math.round((part.bytes === 0 ? 1 : done.bytes / part.bytes) * barWidth)
    const line = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text()}`
    stderr.write(`\r${line.slice(0, (stderr.columns || 80) - 1)}\u001b[K`)
    drawn = true
  }

  function tell(everyMs: number): void {
    if (quiet || nowMs() - toldMs < everyMs) return
    toldMs = nowMs()
    if (drawsBar) draw()
    else warn({ stderr }, text())
  }

  return {
    begin(what, files, bytes) {
      part = { what, files, bytes }
      done = { files: 0, bytes: 0 }
      toldMs = nowMs()
      if (quiet) return
      if (drawsBar) draw()
      else warn({ stderr }, `${what} ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}`)
    },
    add(files, bytes) {
      done = { files: done.files + files, bytes: done.bytes + bytes }
      tell(drawsBar ? drawMs : lineMs)
    },
    end() {
      if (drawn) stderr.write('\r\u001b[K')
      drawn = false
    },
  }
}
