/** What a site itself answers, of a request that no rule passes on. */
import { decide } from '../../../src/roles/edge/decide.ts'

/** As `decide`. @throws Error where the request is passed on. */
export function decideAnswer(...given: Parameters<typeof decide>) {
  const decided = decide(...given)
  if (!('answer' in decided)) throw new Error('The request is passed on.')
  return decided
}
