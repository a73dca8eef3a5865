/** Where the log goes: standard error, as JSON, or at a terminal as lines for people. */
import { type DestinationStream, destination } from 'pino'
import { isColoured } from './is-coloured.ts'
import { summarizeRequests } from './request-summary.ts'
import { answeredIn, terminalLine } from './terminal-line.ts'

export type LogStream = DestinationStream & {
  /** Lets through what a terminal gets only after the greeting of the node, and from then on everything. */
  afterGreeting(): void
}

type Terminal = { isTTY?: boolean | undefined }

/** Standard error, since standard output is for people, in batches. */
export function openLogStream(): LogStream {
  return chooseStream(inBatches(destination({ dest: 2, sync: false })), process.stderr, process.env)
}

/**
 * Passes lines of JSON on to `out` as they are, or where `terminal` is one as lines for people. What is no
 * warning waits there for the greeting, which is to be read first, and requests have one line a minute, but
 * for those at which the server failed.
 */
export function chooseStream(
  out: DestinationStream,
  terminal: Terminal,
  env: Record<string, string | undefined>,
): LogStream {
  if (!terminal.isTTY) return { write: (lines) => out.write(lines), afterGreeting() {} }
  const coloured = isColoured(terminal, env)
  let waiting: string[] | undefined = []

  function put(line: string): void {
    const text = `${terminalLine(line, coloured)}\n`
    if (waiting && /^\{"level":[123]0,/.test(line)) waiting.push(text)
    else out.write(text)
  }

  const count = summarizeRequests((msg) => put(JSON.stringify({ level: 30, time: Date.now(), msg })))

  return {
    write(lines) {
      for (const line of lines.split('\n')) {
        if (line === '') continue
        const answered = answeredIn(line)
        if (answered && answered.status < 500) count(answered)
        else put(line)
      }
    },
    afterGreeting() {
      for (const text of waiting ?? []) out.write(text)
      waiting = undefined
    },
  }
}

const batchLength = 65_536
const batchMs = 200

/** Batches lines, since a write costs more than a line; the rest is written at exit. */
function inBatches(stream: ReturnType<typeof destination>): DestinationStream {
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (lines.length > 0) stream.write(lines.join(''))
    lines = []
    length = 0
  }

  process.on('exit', () => {
    flush()
    stream.flushSync()
  })
  return {
    write(line) {
      lines.push(line)
      length += line.length
      if (length >= batchLength) flush()
      else timer ??= setTimeout(flush, batchMs).unref()
    },
  }
}
