/** The log: one JSON line per event, without secrets. */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { redactSecrets } from './redact-secrets.ts'

export type Logger = PinoLogger & {
  /**
   * Logs fields as `info` does, none of them an error, in a third of the time: for what is logged with every
   * request.
   */
  infoLine(fields: Record<string, string | number | undefined>): void
  /** Adds lines that another process has logged. */
  passOn(lines: string): void
}

/** A logger that writes its lines to `stream`. */
export function createLogger(stream: DestinationStream): Logger {
  const log = pino({ base: null, serializers: { err: describeError } }, stream)
  return Object.assign(log, {
    infoLine(fields: Record<string, string | number | undefined>) {
      stream.write(`{"level":30,"time":${Date.now()},${JSON.stringify(fields).slice(1)}\n`)
    },
    passOn: (lines: string) => void stream.write(lines),
  })
}

/** An error for people, without secrets: its message, then its stack and causes. */
export function explainError(error: unknown): string {
  const described = describeError(error)
  const details = JSON.stringify(described, undefined, 2).replaceAll('\\n', '\n')
  return typeof described === 'string' ? described : `${described.message}\n${details}`
}

type DescribedError = {
  name: string
  message: string
  code: unknown
  query: string | undefined
  stack: string | undefined
  cause: string | DescribedError | undefined
}

/** An error for logs: name, message, stack and causes; without the parameters of a query, and secrets. */
function describeError(error: unknown): string | DescribedError {
  if (!(error instanceof Error)) return redactSecrets(String(error))
  const code = 'code' in error ? error.code : undefined
  const query = 'query' in error && typeof error.query === 'string' ? error.query : undefined
  return {
    name: error.name,
    // Drizzle's message contains the parameters.
    message: query === undefined ? redactSecrets(error.message) : 'A query failed.',
    code,
    query,
    stack: query === undefined && error.stack !== undefined ? redactSecrets(error.stack) : undefined,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}
