/** Follows a log, page after page. */
import type { Client, Inputs, Outputs } from './api'
import { isTemporary, problemOf } from './api-error'
import { wait } from './wait'

export type LogLine = Outputs['observability']['logs']['data'][number]
export type LogFilters = Omit<
  NonNullable<Inputs['observability']['logs']>,
  'order' | 'wait_s' | 'cursor' | 'limit'
>

type Page = Outputs['observability']['logs']

type Follow = {
  filters: LogFilters
  /** Where an earlier call ended; null to begin anew. */
  cursor: string | null
  /** How long each request waits for lines, in seconds. */
  waitS: number
  signal: AbortSignal
  onPage: (page: Page) => void
  /** The error of a request that is made again, null once one succeeds. */
  onProblem: (error: unknown) => void
  /** Whether the log has ended with this page. */
  isOver: (page: Page) => boolean
}

const pageSize = 100
const retryMs = 2_000

/** Reads oldest first until the log is over. Resolves then, when aborted, and at an error that stays. */
export async function followLogs(client: Client, follow: Follow): Promise<void> {
  const { filters, waitS, signal, onPage, onProblem, isOver } = follow
  for (let cursor = follow.cursor; !signal.aborted; ) {
    try {
      const page = await client.observability.logs.query(
        { ...filters, order: 'asc', limit: pageSize, wait_s: waitS, ...(cursor !== null && { cursor }) },
        { signal, context: { alone: true } },
      )
      if (signal.aborted) return
      onProblem(null)
      onPage(page)
      if (page.next_cursor === null || isOver(page)) return
      cursor = page.next_cursor
    } catch (error) {
      if (signal.aborted) return
      onProblem(error)
      if (!isTemporary(error)) return
      await wait(problemOf(error).retryAfterMs ?? retryMs, signal)
    }
  }
}
