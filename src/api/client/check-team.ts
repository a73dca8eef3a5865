/** A team beside a credential that has its own. */
import { claimsOf } from './jwt-claims.ts'

/**
 * Whether `token` is a session's, which acts in any team of its user: an API key has its prefix, and a JWT
 * three parts (RFC 7515, section 7.1).
 */
export function isSession(token: string | undefined): boolean {
  return token === undefined || !(isKey(token) || token.split('.').length === 3)
}

/**
 * @throws TypeError for a `team` that the credential's own one isn't, or may not be: a JWT names its team by
 * id.
 */
export function checkTeamOf(token: string | undefined, team: string | undefined): void {
  if (token === undefined || team === undefined || isSession(token)) return
  if (isKey(token)) {
    throw new TypeError('`team` is for sessions: an API key belongs to one team, so leave `team` out.')
  }
  const { tenant } = claimsOf(token)
  if (tenant === team) return
  const own = typeof tenant === 'string' ? `the team "${tenant}"` : 'one team'
  throw new TypeError(`\`team\` is for sessions: this JWT belongs to ${own}, so leave \`team\` out.`)
}

function isKey(token: string): boolean {
  return token.startsWith('svc_')
}
