/** Follows a log: waits for new lines. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type LogDeps, type LogPage, listLogs } from './list-logs.ts'
import type { LogOptions } from './log-input.ts'
import type { Reader } from './reader.ts'
import { countWaiting, pauseMs, whileWaiting } from './waiting.ts'

/**
 * The next page as soon as it has a line; an empty one, with a cursor, after `waitMs` or when `signal`
 * aborts.
 * @throws AppError `invalid_cursor`; `too_many_waiting` when 20 calls of the team wait already.
 */
export function followLogs(
  { signal, ...deps }: LogDeps & { signal: AbortSignal },
  reader: Reader,
  options: LogOptions,
  waitMs: number,
): Promise<LogPage> {
  const { teamId } = reader
  const endMs = performance.now() + waitMs
  return whileWaiting(teamId, async () => {
    let { cursor } = options
    for (;;) {
      const page = await listLogs(deps, reader, { ...options, cursor })
      const leftMs = endMs - performance.now()
      if (page.data.length > 0 || page.next_cursor === null || leftMs <= 0 || signal.aborted) return page
      cursor = page.next_cursor
      if (!page.more)
        await sleep(Math.min(leftMs, pauseMs(countWaiting(teamId))), undefined, { signal }).catch(() => {})
    }
  })
}
