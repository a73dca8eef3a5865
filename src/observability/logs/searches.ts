/** Searches of a team's log, which look at thousands of lines each: one at a time, so that others' questions have their turn. */
import { oneByOne } from '../../async/one-by-one.ts'
import { AppError } from '../../errors.ts'

const maxWaiting = 20

/** By then some of those that wait have had their turn. */
const retryAfterMs = 1_000

const inLine = oneByOne(maxWaiting, () => {
  const message = `A team's searches of logs are done one after another, and ${maxWaiting} wait already. Try again later.`
  return new AppError('too_many_waiting', message, { retryAfterMs })
})

/** Does `search` after those of the team that came before it on this node. @throws AppError `too_many_waiting`. */
export function searchInLine<T>(teamId: string, search: () => Promise<T>): Promise<T> {
  return inLine(teamId, search)
}
