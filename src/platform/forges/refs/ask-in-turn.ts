/** Asks forges for refs, a few at a time for a team. */
import type { Turns } from '../../limits/turns.ts'
import type { ForgeFetch } from '../api/forge-fetch.ts'
import { askRefs, type Question, type Refs, type Unasked } from './ask-refs.ts'

export type AskDeps = { forgeFetchFor: (url: string) => ForgeFetch; registrations: Turns }

/** The time limit of all requests together. */
const timeLimitMs = 20_000

/** Asks until `signal` aborts, and for 20 s at most. @throws AppError `too_many_waiting`. */
export async function askInTurn(
  { forgeFetchFor, registrations }: AskDeps,
  teamId: string,
  { signal, ...question }: Question,
): Promise<Refs | Unasked> {
  const end = registrations.begin(teamId)
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)])
    return await askRefs({ ...question, signal: within }, forgeFetchFor(question.url))
  } finally {
    end()
  }
}
