/** The addresses of deploy hooks, which nobody can guess. */
import type { Secret } from '../../lib/secret.ts'
import { hashToken, inspectToken, newToken } from '../callers/token.ts'

/** Below the API's address; the secret is the next segment. */
export const deployHookPath = '/hooks/deploy'

/** Its own, so that scanners of secrets tell a hook from an API key, and nothing takes one for the other. */
const secretStart = 'svch_'

/** A new secret in the format of tokens. */
export function newHookSecret(): Secret {
  return newToken(secretStart)
}

/** Whether the text may be a secret of a hook: what was mistyped needs no look-up. */
export function isHookSecret(text: string): boolean {
  return inspectToken(text, secretStart) === 'valid'
}

/** The hash of a secret, which is stored in its place. */
export const hashHookSecret = hashToken

/** Where a request has the hook's project deployed; `apiUrl` is the address of the API. */
export function deployHookUrl(apiUrl: string, secret: string): string {
  return `${apiUrl}${deployHookPath}/${secret}`
}
