/** Refusals for teams that a caller lacks, whether or not they exist: every sentence of that 404. */
import { AppError } from '../../lib/errors.ts'

/** A team that the caller doesn't see. */
export function teamNotFound(reference: string): AppError {
  return notFound(`There is no team ${reference} that this credential may see.`)
}

/** A team that a session selects, or had selected, without being a member. */
export function notMember(): AppError {
  return notFound('You are not a member of such a team.')
}

/** A team that the caller was in when the request began. */
export function leftTeam(): AppError {
  return notFound('You are no longer in the team.')
}

/** A team that doesn't invite the caller. */
export function notInvited(reference: string): AppError {
  return notFound(`There is no team ${reference} that invites you.`)
}

/** A team that was deleted while the call ran. */
export function teamDeleted(): AppError {
  return notFound('The team was deleted.')
}

/** A team that the operator names. */
export function unknownTeam(reference: string): AppError {
  return notFound(`There is no team ${reference}.`)
}

function notFound(message: string): AppError {
  return new AppError('team_not_found', message)
}
