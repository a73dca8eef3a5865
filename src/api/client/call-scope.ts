/** Whether a call is made in a team, or by the person who is in it. */
import { isRecord } from '../../lib/is-record.ts'

/** The calls of a session, whatever its team: a JWT sees its own team only. */
const ofPerson = new Set([
  'account.get',
  'account.update',
  'account.changePassword',
  'account.sessions',
  'account.endSession',
  'account.endOtherSessions',
  'account.proveAddress',
  'teams.list',
  'teams.get',
  'teams.invitations',
  'teams.acceptInvitation',
  'teams.declineInvitation',
])

/** Name the team that they are about. */
const aboutTeam = new Set([
  'teams.put',
  'teams.delete',
  'invitationLinks.create',
  'invitationLinks.list',
  'invitationLinks.revoke',
])

export type Call = { type: string; path: string; input: unknown }

/** Takes a key or a session, never a JWT; it has a request of its own, since a request has one credential. */
export function isExchange({ path }: { path: string }): boolean {
  return path === 'tokens.mint'
}

/** Whether the call names a team that it is about, by slug or id. */
export function isAboutTeam({ path }: { path: string }): boolean {
  return aboutTeam.has(path)
}

/**
 * Whether a session in the team with these `names` makes the call as the person; other teams are created and
 * changed so.
 */
export function isOfPerson(call: Call, names: readonly unknown[]): boolean {
  if (isAboutTeam(call)) return !names.includes(fieldsOf(call.input).team)
  return ofPerson.has(call.path)
}

/** An input's fields; none where it isn't an object. */
export function fieldsOf(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : {}
}
