/** Serializes the searches of a team, which scan thousands of lines each, so that they don't block others. */
import { oneByOne } from '../../../lib/async/one-by-one.ts'
import { AppError } from '../../../lib/errors.ts'

const maxWaiting = 20

/** When a rejected search may be retried. */
const retryAfterMs = 1_000

const inLine = oneByOne(maxWaiting, () => {
  const state = `run one at a time, and ${maxWaiting} are queued already`
  const message = `A team's log searches ${state}. Try again later.`
  return new AppError('too_many_waiting', message, { retryAfterMs })
})

/** Runs `search` after earlier ones of the team on this node. @throws AppError `too_many_waiting`. */
export function searchInLine<T>(teamId: string, search: () => Promise<T>): Promise<T> {
  return inLine(teamId, search)
}
