/** Says what to do where PostgreSQL can't be used at the start. */

import { parseUrl } from '../../lib/names/parse-url.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { isUnreachable } from './failures.ts'

/** SQLSTATEs: invalid authorization (class 28), and a database that doesn't exist. */
const refused = /^(?:28...|3D000)$/

/** A SettingsError where the cause is the server at `url` or its address; any other error as it is. */
export function explainUnopened(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const address = parseUrl(url)
  const place = `PostgreSQL${address ? ` at ${address.host}` : ''} (DATABASE_URL)`
  const options = { cause: error }
  if (isUnreachable(error)) {
    return new SettingsError(
      `${place} can't be reached: ${error.message}. Start it, or correct the setting.`,
      options,
    )
  }
  const isRefused = 'code' in error && typeof error.code === 'string' && refused.test(error.code)
  if (!isRefused) return error
  return new SettingsError(`${place} refuses: ${error.message}. Correct the setting, or create it.`, options)
}
