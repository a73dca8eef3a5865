/** Writes a history while it happens. */
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Line, ResultLine } from './lines.ts'

/** A line without its time, which is now. */
type Untimed<L> = L extends unknown ? Omit<L, 'timeMs'> : never

export type Outcome = Omit<ResultLine, 'id' | 'timeMs'>

type Invocation = { process: string; kind: string; subject: string; value?: string | null | undefined }

export type Recorder = {
  /** Milliseconds since the start of the run, by a monotonic clock. */
  nowMs(): number
  newId(): number
  write(line: Untimed<Line>): void
  /**
   * Records an operation from its invocation to its outcome, which it returns. What `run` throws is an
   * unknown one.
   */
  perform(invocation: Invocation, run: () => Promise<Outcome>): Promise<Outcome>
  /** What happens later is not recorded. */
  close(): Promise<void>
}

/** A recorder that writes to `file`. */
export function openRecorder(file: string): Recorder {
  const stream = createWriteStream(file)
  const startedMs = performance.now()
  const nowMs = () => performance.now() - startedMs
  let lastId = 0
  let isClosed = false

  const newId = () => {
    lastId += 1
    return lastId
  }

  function write(line: Untimed<Line>): void {
    if (!isClosed) stream.write(`${JSON.stringify({ ...line, timeMs: nowMs() })}\n`)
  }

  return {
    nowMs,
    newId,
    write,
    async perform({ value, ...invocation }, run) {
      const id = newId()
      write({ type: 'invoke', id, ...invocation, ...(value !== undefined && { value }) })
      const outcome = await run().catch(
        (error: unknown): Outcome => ({ type: 'info', status: 0, note: String(error) }),
      )
      write({ ...outcome, id })
      return outcome
    },
    async close() {
      isClosed = true
      stream.end()
      await finished(stream)
    },
  }
}
