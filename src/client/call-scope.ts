/** Whether a call is made in a team, or by the person who is in it. */

/** Of a session, whatever its team: a JWT sees its own team only. */
const ofPerson = new Set([
  'account.get',
  'teams.list',
  'teams.get',
  'teams.invitations',
  'teams.acceptInvitation',
  'teams.declineInvitation',
])

/** Name the team that they are about. */
const aboutTeam = new Set(['teams.put', 'teams.delete'])

export type Call = { type: string; path: string; input: unknown }

/** Takes a key or a session, never a JWT; it has a request of its own, since a request has one credential. */
export function isExchange({ path }: { path: string }): boolean {
  return path === 'tokens.mint'
}

/** Whether a session in `team` makes the call as the person; other teams are created and changed so. */
export function isOfPerson({ path, input }: Call, team: string): boolean {
  if (aboutTeam.has(path)) return fieldsOf(input).team !== team
  return ofPerson.has(path)
}

/** An input's fields; none where it isn't an object. */
export function fieldsOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {}
}
