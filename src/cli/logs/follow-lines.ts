/** Follows the lines of a log. */
import type { RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import type { Api } from '../connection/connect.ts'
import { type Patience, patiently } from './patiently.ts'

export type LogLine = RouterOutputs['observability']['logs']['data'][number]

export type LogFilters = Pick<
  RouterInputs['observability']['logs'],
  'kind' | 'project' | 'deployment' | 'level' | 'status' | 'host' | 'q' | 'since_ms'
>

/** The server's maximum wait. */
const waitSeconds = 30

/** Every matching line, oldest first, then new ones as they are written, without an end. */
export async function* followLines(
  api: Api,
  filters: LogFilters,
  patience: Patience,
): AsyncGenerator<LogLine> {
  let from: { cursor?: string } = {}
  for (;;) {
    const query = { ...filters, ...from, order: 'asc', limit: 100, wait_s: waitSeconds } as const
    const page = await patiently((once) => api.observability.logs.query(query, once), patience)
    yield* page.data
    if (page.next_cursor === null) return
    from = { cursor: page.next_cursor }
  }
}

/** Whether `line` comes before `other` in the log. */
export function isBefore(line: LogLine, other: LogLine): boolean {
  return line.time_ms === other.time_ms ? line.id < other.id : line.time_ms < other.time_ms
}
