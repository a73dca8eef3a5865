/** Asks before what can't be undone. */
import { failed, usageFailure } from '../failure.ts'
import type { Io } from '../io.ts'
import { ask } from './prompt.ts'

/**
 * Resolves when the person answers yes.
 * @throws Failure when the answer is another, on Ctrl-C, and where there is nobody to ask.
 */
export async function confirm(io: Io, question: string): Promise<void> {
  if (!io.stdin.isTTY) throw usageFailure('There is nobody to ask whether this is wanted: give --yes.')
  const answer = await ask(io, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw failed('Nothing was done.')
}
