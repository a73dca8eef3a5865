/** The relying party that passkeys are made for: this API, by its address. */
import { isIP } from 'node:net'
import { AppError } from '../../../lib/errors.ts'

/** `id` is a host name (WebAuthn, section 5.1.2), `origin` that of the pages. */
export type RelyingParty = { id: string; origin: string }

/**
 * That of an API at `apiUrl`; undefined where browsers have no passkeys: at addresses without a name, and
 * over plain http, but for `localhost` (Secure Contexts, section 3.1).
 */
export function relyingPartyOf(apiUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(apiUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNamed = isIP(hostname) === 0 && !hostname.startsWith('[')
  return isNamed && (isLocal || protocol === 'https:') ? { id: hostname, origin } : undefined
}

/** Why there is none. */
export const noPasskeys =
  'Passkeys work at an https address with a host name only: ' +
  'the address of this server (SVC_URL) is another one.'

/** That of an API at `apiUrl`. @throws AppError `passkeys_not_available`. */
export function requireRelyingParty(apiUrl: string): RelyingParty {
  const party = relyingPartyOf(apiUrl)
  if (!party) throw new AppError('passkeys_not_available', noPasskeys)
  return party
}
