/** Asks for confirmation before what can't be undone. */
import { failed, usageFailure } from '../command-failure.ts'
import type { Io } from '../io.ts'
import { ask } from './prompt.ts'

/**
 * Resolves if the user answers yes.
 * @throws Failure on any other answer, on Ctrl-C, and without a terminal.
 */
export async function confirm(io: Io, question: string): Promise<void> {
  if (!io.stdin.isTTY) throw usageFailure('No terminal to confirm on: pass --yes.')
  const answer = await ask(io, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw failed('Nothing was changed.')
}
