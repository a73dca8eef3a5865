/** Whether a call is made in the team of the page, or by the person who is in it. */

/** Of the session, whatever its team: a JWT sees its own team only. */
const ofPerson = new Set([
  'account.get',
  'teams.list',
  'teams.get',
  'teams.invitations',
  'teams.acceptInvitation',
  'teams.declineInvitation',
])

export type Call = { type: string; path: string; input: unknown }

/** Takes a session, never a JWT. */
export function isExchange({ path }: { path: string }): boolean {
  return path === 'tokens.mint'
}

/** Whether the call is made in `team`. Other teams are created by the person. */
export function isInTeam(call: Call, team: string): boolean {
  if (call.path === 'teams.put') return fieldsOf(call.input).team === team
  return !isExchange(call) && !ofPerson.has(call.path)
}

/** An input's fields; none where it isn't an object. */
export function fieldsOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {}
}
