/** The error for unknown paths. */
import { AppError } from '../../../lib/errors.ts'
import { redactPath } from '../../../lib/log/redact-secrets.ts'

/** The error for a path, or a whole URL, at which there is nothing: without what may be a credential. */
export function unknownPath(url: string): AppError {
  const path = redactPath(url.split('?', 1)[0] ?? '')
  return new AppError('unknown_path', `Unknown path ${path}. See /docs.`)
}
