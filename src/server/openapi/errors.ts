/** What each operation of the OpenAPI document may answer instead of a success, and for which reasons. */
import { requiredRoles } from '../../auth/roles.ts'
import { AppError, type Reason } from '../../errors.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { RestProcedure } from '../calls/procedures.ts'

/** What any caller may be told; `team_not_found` of the team that a session names. */
const ofAll: Reason[] = [
  'invalid_input',
  'unauthorized',
  'token_malformed',
  'team_not_found',
  'rate_limited',
  'internal_error',
  'store_unavailable',
]

/** What besides can be wrong where something changes: with a cookie's origin, or a body, also where none is needed. */
const ofChanges: Reason[] = [
  'malformed_json',
  'unsupported_content_type',
  'unsupported_content_encoding',
  'origin_not_allowed',
  'request_timeout',
  'body_too_large',
  'too_many_waiting',
]

const ofKeptResponses: Reason[] = ['idempotency_key_reused', 'idempotency_in_progress']

/** The reasons for which an operation with these `fields` of input may be refused, those of one status together. */
export function refusalsOf(
  { name, type, keepsResponse, reasons }: RestProcedure,
  fields: Set<string>,
): Map<number, Reason[]> {
  const changes = type === 'mutation'
  const known = new Set<Reason>([
    ...ofAll,
    ...(fields.has('cursor') ? (['invalid_cursor'] as const) : []),
    ...(changes ? ofChanges : []),
    // Of what changes something only the exchange takes anything but a JWT where those are enforced.
    ...(changes && !reasons.includes('jwt_cannot_mint') ? (['jwt_required'] as const) : []),
    ...(isForOwners(name) ? (['role_required'] as const) : []),
    ...(keepsResponse ? ofKeptResponses : []),
    ...reasons,
  ])
  const byStatus = new Map<number, Reason[]>()
  for (const reason of known) {
    const status = statusOf(new AppError(reason, ''))
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

function isForOwners(name: string): boolean {
  return Object.entries(requiredRoles).some(([each, role]) => each === name && role !== 'member')
}
