/** Checks the passkey that somebody who knows the password uses in place of a code. */
import { type AppError, invalidField } from '../../../lib/errors.ts'
import type { ChallengeUse } from '../passkeys/challenge.ts'
import type { Assertion } from '../passkeys/credential.ts'
import { readAnswer, recordUse } from '../passkeys/use.ts'
import { attempt, type FactorDeps } from './attempt.ts'

/**
 * Passes if the passkey is the person's, and its challenge one for this use, which is used up. `none` for a
 * person without a second factor.
 * @throws AppError `invalid_input` for any other; `passkeys_not_available`; `rate_limited` as `attempt` does.
 */
export async function checkPasskey(
  deps: FactorDeps,
  userId: string,
  use: ChallengeUse,
  assertion: Assertion,
): Promise<'right' | 'none'> {
  const answer = await readAnswer(deps, use, assertion)
  const outcome = await attempt(deps, userId, async (tx) => {
    if (!answer) return undefined
    return (await recordUse(tx, answer, { nowMs: deps.nowMs(), userId })) === undefined ? undefined : {}
  })
  if (outcome === 'wrong') throw wrongPasskey()
  return outcome
}

function wrongPasskey(): AppError {
  return invalidField(
    'passkey',
    'was not accepted: it is not one of yours here, or it took longer than five minutes. Try again',
  )
}
