/** Maps better-auth's errors to those of this API. */
import { z } from 'zod'
import { AppError, invalidField } from '../../lib/errors.ts'
import { signInFirst } from '../callers/unauthorized.ts'

const byCode: Record<string, () => AppError> = {
  INVALID_CALLBACK_URL: () => invalidField('callbackURL', untrusted),
  INVALID_ERROR_CALLBACK_URL: () => invalidField('errorCallbackURL', untrusted),
  INVALID_NEW_USER_CALLBACK_URL: () => invalidField('newUserCallbackURL', untrusted),
  INVALID_ORIGIN: originNotAllowed,
  MISSING_OR_NULL_ORIGIN: originNotAllowed,
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: originNotAllowed,
  UNAUTHORIZED: signInFirst,
  FAILED_TO_GET_SESSION: signInFirst,
  PROVIDER_NOT_FOUND: () =>
    new AppError('sign_in_unavailable', 'The provider does not respond. Try again in a moment.'),
}

const untrusted = 'should be a path, or an address at this origin'

function originNotAllowed(): AppError {
  return new AppError(
    'origin_not_allowed',
    "A browser's cookie counts only with the Origin of this API or of its dashboard.",
  )
}

const bodySchema = z
  .object({ code: z.string().catch(''), message: z.string().catch('') })
  .catch({ code: '', message: '' })

/** The error in a response of better-auth; internal ones become plain errors. */
export async function refusalOf(answer: Response): Promise<Error> {
  const text = await answer.text()
  const { code, message } = bodySchema.parse(parseJson(text))
  const known = byCode[code]
  if (known) return known()
  if (answer.status >= 500 || message === '')
    return new Error(`better-auth responded ${answer.status} ${code}`)
  return new AppError('malformed_request', message)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
