/** The refusals of callers who aren't known: every sentence of a 401. */
import { AppError } from '../../lib/errors.ts'

/** The same error for every invalid credential, whatever the cause. */
export function unauthorized(): AppError {
  return refusal('Send a valid API key, or a token minted with one, as "Authorization: Bearer …".')
}

/** The call of a procedure without a credential. */
export function callerNeeded(procedure: string): AppError {
  return refusal(`${procedure} needs an authenticated caller.`)
}

/** A person who was deleted while the call ran. */
export function userGone(): AppError {
  return refusal('The user of this credential no longer exists.')
}

/** A browser without a session, at the paths of signing in. */
export function signInFirst(): AppError {
  return refusal('Sign in first.')
}

/** An identity token of a CI system; `fault` follows the words "The identity token". */
export function identityRefused(fault: string): AppError {
  return refusal(`The identity token ${fault}.`)
}

function refusal(message: string): AppError {
  return new AppError('unauthorized', message)
}
